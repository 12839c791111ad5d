import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { compliance, conversations } from '#contract';
import { ask, flash, formatPhoneNumber, t, touch, useMay } from '#ui';

/** Block a caller for the whole company, or take the block away; the notices are the given ones. */
export function useBlocking(target: string) {
  const cache = useQueryClient();
  const may = useMay('blocks.edit');
  const [working, setWorking] = useState(false);
  const number = target === 'anonymous' ? t('Withheld numbers') : formatPhoneNumber(target);

  const act = async (what: () => Promise<boolean>, said: string): Promise<void> => {
    setWorking(true);
    // What was refused has been shown already.
    if (await what().catch(() => false)) flash.success(said);
    setWorking(false);
    touch(
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
      act(
        async () => {
          await ask(
            compliance.addBlock,
            { body: { target, action: 1, global: false, number_id: null } },
            { once: true },
          );
          return true;
        },
        t('{number} has been blocked', { number }),
      ),
    unblock: () =>
      act(
        async () => {
          const found = (
            await ask(compliance.listBlocks, { query: { search: target, perPage: 50 } })
          ).data.filter((b) => b.action === 1 && !b.global && b.target === target);
          for (const each of found) await ask(compliance.removeBlock, { params: { id: each.id } });
          if (found.length === 0)
            flash.warn(t('{number} is blocked by a wider rule.', { number }), {
              detail: t('Change the rule under Settings, Blocked numbers.'),
            });
          return found.length > 0;
        },
        t('{number} has been unblocked', { number }),
      ),
  };
}
