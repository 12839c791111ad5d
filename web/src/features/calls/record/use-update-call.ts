import { calls, sentences, type Body } from '#contract';
import { optimisticUpdate, useApiMutation, usePermission } from '#ui';

type Call = calls.Call;
type CallEdit = Body<typeof calls.updateCall>;
export const callUpdateFailure = { title: sentences.callUpdateFailed };

const toBit = (on: boolean): 0 | 1 => (on ? 1 : 0);

/** How an edit looks in the cached call before the server confirms it. */
function toOptimisticCall(edit: CallEdit): Partial<Call> {
  const { qualified, lead, spam, note, outcome_tags, department, value_cents } = edit;
  const { summary, sentiment } = edit;
  return {
    ...(note !== undefined && { note }),
    ...(summary !== undefined && { summary }),
    ...(sentiment !== undefined && { sentiment: { label: sentiment, score: null } }),
    ...(outcome_tags !== undefined && { outcome_tags }),
    ...(department !== undefined && { department }),
    ...(value_cents !== undefined && { value_cents }),
    ...(qualified !== undefined && { qualified: toBit(qualified) }),
    ...(lead !== undefined && { lead: toBit(lead) }),
    ...(spam !== undefined && { spam: toBit(spam) }),
  };
}

export interface CallEditing {
  mayEdit: boolean;
  /** Saves an edit, shown at once and undone when the server rejects it (A §8). False: rejected, the error was shown. */
  save: (edit: CallEdit) => Promise<boolean>;
}

/** Edits the note, tags of outcome, department, value and switches of a call. */
export function useUpdateCall(callId: number): CallEditing {
  const mayEdit = usePermission('calls.edit');
  const { mutate } = useApiMutation(calls.updateCall, {
    failure: callUpdateFailure,
    invalidates: [calls.getCall],
    optimistic: (cache, { body }) =>
      optimisticUpdate(cache, calls.getCall, (response) =>
        response.data.id === callId && body && !('fields' in body)
          ? { ...response, data: { ...response.data, ...toOptimisticCall(body as CallEdit) } }
          : undefined,
      ),
  });
  return {
    mayEdit,
    save: async (body) => (await mutate({ params: { id: callId }, body })) !== null,
  };
}
