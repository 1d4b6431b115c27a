package openai

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	client "github.com/sashabaranov/go-openai"

	"github.com/memsync/memsync/synth/llm"
	"github.com/memsync/memsync/synth/llm/batch"
)

var _ batch.Service = (*Model)(nil)

// tagKey is where a batch carries its tag.
const tagKey = "memsync_tag"

// Submit uploads the requests as a file and starts a batch of it.
func (m *Model) Submit(ctx context.Context, tag string, items []batch.Item) (string, error) {
	file := client.UploadBatchFileRequest{FileName: tag + ".jsonl"}
	for _, it := range items {
		file.AddChatCompletion(it.ID, m.body(it.Request, m.form.Load(), m.oldBound.Load()))
	}
	res, err := m.client.CreateBatchWithUploadFile(ctx, client.CreateBatchWithUploadFileRequest{
		Endpoint: client.BatchEndpointChatCompletions, CompletionWindow: "24h", Metadata: map[string]any{tagKey: tag}, UploadBatchFileRequest: file,
	})
	if err != nil {
		return "", llm.Explain(ctx, err)
	}
	return res.ID, nil
}

// Find looks through the newest batches for the tag.
func (m *Model) Find(ctx context.Context, tag string, _ time.Time, _ int, _ []string) (string, error) {
	limit := 100
	res, err := m.client.ListBatch(ctx, nil, &limit)
	if err != nil {
		return "", llm.Explain(ctx, err)
	}
	for _, b := range res.Data {
		if b.Metadata[tagKey] == tag {
			return b.ID, nil
		}
	}
	return "", nil
}

// State looks at a batch. An expired or cancelled one has ended, and has the
// results of what it came to.
func (m *Model) State(ctx context.Context, id string) (batch.State, error) {
	b, err := m.client.RetrieveBatch(ctx, id)
	if err != nil {
		err = llm.Explain(ctx, err)
		if s, ok := errors.AsType[*llm.StatusError](err); ok && s.Code == http.StatusNotFound {
			return batch.Gone, nil
		}
		return "", err
	}
	switch b.Status {
	case "completed", "expired", "cancelled":
		return batch.Ended, nil
	case "failed":
		return batch.Failed, nil
	}
	return batch.Running, nil
}

// Results reads the file of replies and the file of errors. What expired stands
// in the latter.
func (m *Model) Results(ctx context.Context, id string, yield func(batch.Result)) error {
	b, err := m.client.RetrieveBatch(ctx, id)
	if err != nil {
		return llm.Explain(ctx, err)
	}
	for _, file := range []*string{b.OutputFileID, b.ErrorFileID} {
		if file != nil && *file != "" {
			if err := m.results(ctx, *file, yield); err != nil {
				return err
			}
		}
	}
	return nil
}

func (m *Model) results(ctx context.Context, file string, yield func(batch.Result)) error {
	content, err := m.client.GetFileContent(ctx, file)
	if err != nil {
		return llm.Explain(ctx, err)
	}
	defer content.Close()
	lines := bufio.NewScanner(content)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var l struct {
			ID       string `json:"custom_id"`
			Response *struct {
				Status int             `json:"status_code"`
				Body   json.RawMessage `json:"body"`
			} `json:"response"`
			Error *struct {
				Code    string `json:"code"`
				Message string `json:"message"`
			} `json:"error"`
		}
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return fmt.Errorf("%w: a line of the results is not JSON", llm.ErrDown)
		}
		res := batch.Result{ID: l.ID}
		switch {
		case l.Error != nil && l.Error.Code == "batch_expired":
			res.Err = fmt.Errorf("%w: %w", llm.ErrDown, batch.ErrExpired)
		case l.Error != nil:
			res.Err = fmt.Errorf("%w: %s", llm.ErrDown, llm.Clip(l.Error.Message, 200))
		case l.Response == nil:
			res.Err = fmt.Errorf("%w: a result without a response", llm.ErrDown)
		case l.Response.Status != http.StatusOK:
			res.Err = &llm.StatusError{Code: l.Response.Status, Text: llm.Reason(l.Response.Body)}
		default:
			var body client.ChatCompletionResponse
			if err := json.Unmarshal(l.Response.Body, &body); err != nil {
				res.Err = fmt.Errorf("%w: a reply is not of the protocol", llm.ErrDown)
			} else {
				res.Reply, res.Err = read(body)
			}
		}
		yield(res)
	}
	if err := lines.Err(); err != nil {
		return llm.Explain(ctx, err)
	}
	return nil
}
