import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { compliance, conversations } from '#contract';
import { api, toast, formatPhoneNumber, t, invalidate, usePermission } from '#ui';

/**
 * Blocks a caller for the whole company, or removes that block, with a toast when it succeeds.
 * `target` is E.164 (masked for some users) or `anonymous`; `party` is how requests name it
 * (`partyFor`).
 */
export function useBlockCaller(target: string, party: string) {
  const cache = useQueryClient();
  const may = usePermission('blocks.edit');
  const [working, setWorking] = useState(false);
  const number = target === 'anonymous' ? t('Withheld numbers') : formatPhoneNumber(target);

  const run = async (request: () => Promise<boolean>, message: string): Promise<void> => {
    setWorking(true);
    // The API client has shown the error of a failed request already.
    if (await request().catch(() => false)) toast.success(message);
    setWorking(false);
    invalidate(
      cache,
      compliance.listBlocks.name,
      conversations.getConversation.name,
      conversations.listConversations.name,
    );
  };
  return {
    may,
    working,
    block: () =>
      run(
        async () => {
          await api(
            compliance.addBlock,
            { body: { target: party, action: 1, global: false, number_id: null } },
            { idempotencyKey: true },
          );
          return true;
        },
        t('{number} has been blocked', { number }),
      ),
    unblock: () =>
      run(
        async () => {
          const found = (
            await api(compliance.listBlocks, { query: { search: party, perPage: 50 } })
          ).data.filter((b) => b.action === 1 && !b.global && b.target === target);
          for (const each of found) await api(compliance.removeBlock, { params: { id: each.id } });
          if (found.length === 0)
            toast.warn(t('{number} is blocked by a broader rule.', { number }), {
              detail: t('Change the rule in Settings > Blocked numbers.'),
            });
          return found.length > 0;
        },
        t('{number} has been unblocked', { number }),
      ),
  };
}
