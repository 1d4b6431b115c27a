package anthropic

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	sdk "github.com/anthropics/anthropic-sdk-go"

	"github.com/memsync/memsync/synth/llm"
	"github.com/memsync/memsync/synth/llm/batch"
)

var _ batch.Service = (*Model)(nil)

// Submit starts a batch. Anthropic's batches carry no tag.
func (m *Model) Submit(ctx context.Context, _ string, items []batch.Item) (string, error) {
	var p sdk.MessageBatchNewParams
	for _, it := range items {
		system, messages, out := m.parts(it.Request, m.words.Load())
		most := int64(it.Request.MaxTokens)
		if most <= 0 {
			most = llm.DefaultMaxTokens
		}
		p.Requests = append(p.Requests, sdk.MessageBatchNewParamsRequest{CustomID: it.ID, Params: sdk.MessageBatchNewParamsRequestParams{
			Model: sdk.Model(m.name), MaxTokens: most, System: system, Messages: messages, OutputConfig: out,
		}})
	}
	res, err := m.client.Messages.Batches.New(ctx, p)
	if err != nil {
		return "", llm.Explain(ctx, err)
	}
	return res.ID, nil
}

// slack is how far the clocks here and there may be apart.
const slack = time.Minute

// Find takes the oldest batch since then that has as many requests. Should it be
// somebody else's, its results carry other ids, none is taken over, and the items
// are sent again.
func (m *Model) Find(ctx context.Context, _ string, since time.Time, items int, not []string) (string, error) {
	res, err := m.client.Messages.Batches.List(ctx, sdk.MessageBatchListParams{Limit: sdk.Int(100)})
	if err != nil {
		return "", llm.Explain(ctx, err)
	}
	found := ""
	for _, b := range res.Data { // the newest first
		c := b.RequestCounts
		if !slices.Contains(not, b.ID) && !b.CreatedAt.Before(since.Add(-slack)) && int(c.Processing+c.Succeeded+c.Errored+c.Canceled+c.Expired) == items {
			found = b.ID
		}
	}
	return found, nil
}

// State looks at a batch.
func (m *Model) State(ctx context.Context, id string) (batch.State, error) {
	b, err := m.client.Messages.Batches.Get(ctx, id, sdk.MessageBatchGetParams{})
	if err != nil {
		err = llm.Explain(ctx, err)
		if s, ok := errors.AsType[*llm.StatusError](err); ok && s.Code == http.StatusNotFound {
			return batch.Gone, nil
		}
		return "", err
	}
	if b.ProcessingStatus == sdk.MessageBatchProcessingStatusEnded {
		return batch.Ended, nil
	}
	return batch.Running, nil
}

// Results reads the results line by line.
func (m *Model) Results(ctx context.Context, id string, yield func(batch.Result)) error {
	lines := m.client.Messages.Batches.ResultsStreaming(ctx, id, sdk.MessageBatchResultsParams{})
	defer lines.Close()
	for lines.Next() {
		l := lines.Current()
		res := batch.Result{ID: l.CustomID}
		switch l.Result.Type {
		case "succeeded":
			res.Reply = read(l.Result.Message)
		case "expired":
			res.Err = fmt.Errorf("%w: %w", llm.ErrDown, batch.ErrExpired)
		case "errored":
			kind := llm.ErrDown
			if l.Result.Error.Error.Type == "invalid_request_error" {
				kind = llm.ErrRefused
			}
			res.Err = fmt.Errorf("%w: %s", kind, llm.Clip(l.Result.Error.Error.Message, 200))
		default:
			res.Err = fmt.Errorf("%w: the request was cancelled", llm.ErrDown)
		}
		yield(res)
	}
	if err := lines.Err(); err != nil {
		return llm.Explain(ctx, err)
	}
	return nil
}
