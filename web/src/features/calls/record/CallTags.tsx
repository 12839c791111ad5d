import { TagsInput } from '@mantine/core';
import { calls } from '#contract';
import { optimisticUpdate, t, useApiMutation } from '#ui';
import { callUpdateFailure } from './use-update-call.ts';

type Tag = calls.Call['tags'][number];

/** Adds or removes tags of a call; shown at once, undone when rejected. */
function useTagMutation(
  endpoint: typeof calls.addCallTags | typeof calls.removeCallTags,
  callId: number,
  change: (tags: readonly Tag[], names: readonly string[]) => Tag[],
) {
  const { mutate } = useApiMutation(endpoint, {
    failure: callUpdateFailure,
    invalidates: [calls.getCall],
    optimistic: (cache, { body }) =>
      optimisticUpdate(cache, calls.getCall, (response) => {
        if (response.data.id !== callId || !body || 'fields' in body) return undefined;
        const tags = change(response.data.tags, body.tags);
        return { ...response, data: { ...response.data, tags } };
      }),
  });
  return (tags: string[]): void => {
    if (tags.length > 0) void mutate({ params: { id: callId }, body: { tags } });
  };
}

/** The call's tags: type one and press Enter. */
export function CallTags({ call, mayEdit }: { call: calls.Call; mayEdit: boolean }) {
  // Negative ids stand for tags the server has not numbered yet.
  const add = useTagMutation(calls.addCallTags, call.id, (tags, added) => [
    ...tags,
    ...added.map((name, i) => ({ id: -1 - i, name, color: 'teal' })),
  ]);
  const remove = useTagMutation(calls.removeCallTags, call.id, (tags, removed) =>
    tags.filter((tag) => !removed.includes(tag.name)),
  );
  const names = call.tags.map((tag) => tag.name);
  return (
    <TagsInput
      label={t('Tags')}
      value={names}
      onChange={(wanted) => {
        add(wanted.filter((name) => !names.includes(name)));
        remove(names.filter((name) => !wanted.includes(name)));
      }}
      maxTags={50}
      maxLength={50}
      disabled={!mayEdit}
      placeholder={names.length ? '' : t('Type a tag and press Enter')}
    />
  );
}
