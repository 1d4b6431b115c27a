package llm_test

import (
	"testing"

	"github.com/memsync/memsync/synth/llm"
)

func TestDeclines(t *testing.T) {
	for _, s := range []string{
		"I'm sorry, but I can't help with that.",
		"I’m sorry, I can’t assist with that request.",
		"I am sorry, but I am unable to summarize this conversation.",
		"Sorry, I cannot process this.",
		"Unfortunately, I am not able to access the conversation.",
		"As an AI language model, I do not have opinions.",
		"I cannot summarise the conversation as none was given.",
		"I can't help with that.",
		"<!DOCTYPE html><html><head><title>502 Bad Gateway</title>",
		"<html>\n<body>Service Unavailable</body></html>",
		"Error: 429 Too Many Requests",
		"429 Too Many Requests",
		"Rate limit reached for gpt-4o in organization org-1 on tokens per min.",
		"rate_limit_error: try again later",
		"Too many requests, please slow down.",
		"You exceeded your current quota, please check your plan and billing details.",
		"Internal Server Error",
		"The server is currently overloaded with other requests.",
		"HTTP 503: Service Unavailable",
		"Traceback (most recent call last):\n  File \"x.py\"",
		"upstream connect error or disconnect/reset before headers",
		"Request timed out",
		"Lo siento, pero no puedo ayudar con eso.",
		"Es tut mir leid, aber ich kann dabei nicht helfen.",
	} {
		if !llm.Declines(s) {
			t.Errorf("taken for an answer: %q", s)
		}
	}
	for _, s := range []string{
		"",
		"Set a rate limit of 100 requests a minute on the API after the 429 errors.",
		"Discussed how to say sorry to Ana; wrote an apology.",
		"Sorry business: attended a funeral in Alice Springs.",
		"Ana is sorry that she cannot come on Friday.",
		"Unfortunately the flight was cancelled; Ana moved to the train.",
		"Fixed the \"internal server error\" on checkout by raising the timeout.",
		"Error handling in Go: prefers wrapped errors.",
		"The server moved to Frankfurt; the service is unavailable on Sundays.",
		"I moved to Lisbon in March.",
		"I can't eat nuts: allergic since 2019.",
		"404 photos of the trip were sorted.",
		"As an AI researcher at Kiel, Ana reads papers on Mondays.",
		"Quota of 12 leave days agreed with HR.",
		"Unfortunately I can only train twice a week.",
		"Too many cooks: decided that Ben cooks alone.",
	} {
		if llm.Declines(s) {
			t.Errorf("taken for an apology or an error: %q", s)
		}
	}
}
