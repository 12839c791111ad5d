import { routing } from '#contract';
import { weekdays } from '#contract/routing/schedules/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { mustBe } from '../../../platform/must-be.ts';
import { heldNumbers } from '../../numbers/index.ts';
import { updateNumber } from '../../routing/index.ts';
import { accountRow, type AccountRow } from '../store.ts';

/** Seconds that the app and the person's own phone ring before voicemail. */
const ringSeconds = 25;

/**
 * Routes calls to the account's active numbers as its person chose: the app and the phone of
 * `forward_to` ring together, then voicemail; in quiet hours voicemail at once.
 */
export async function routeCalls(t: TxCtx): Promise<void> {
  const account = mustBe(await accountRow(t.tx, t.companyId), 'the account of these numbers');
  for (const { id, status } of await heldNumbers(t.tx, t.companyId))
    if (status === 'active')
      await updateNumber(t, id, {
        routes: [routeOf(account)],
        voicemail: { enabled: true, greeting: account.voicemail_greeting, transcribe: true },
      });
}

function routeOf(account: AccountRow): routing.RouteIn {
  const { forward_to, person_id } = account;
  const quiet = account.do_not_disturb as { from: string; to: string } | null;
  const isAlwaysQuiet = quiet !== null && quiet.from === quiet.to;
  return routing.routeIn.parse({
    type: 'simultaneous',
    timeout: ringSeconds,
    voicemail_enabled: true,
    forwards: [
      { user_id: person_id },
      // A key is asked for there, so that the phone's own voicemail doesn't take the call.
      ...(forward_to ? [{ number: forward_to }] : []),
    ],
    confirm_key: forward_to ? '1' : false,
    business_hours: quiet && {
      preset: 4,
      voicemail: isAlwaysQuiet,
      blocks: isAlwaysQuiet
        ? []
        : [{ days: [...weekdays], times: [{ start: quiet.to, end: quiet.from }] }],
    },
    after_hours: { action: 'voicemail', target: null },
  });
}
