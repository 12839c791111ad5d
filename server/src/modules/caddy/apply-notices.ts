import type { TxCtx } from '../../platform/context.ts';
import { mustBe } from '../../platform/must-be.ts';
import { setPushes } from '../notifications/index.ts';
import { accountRow } from './store.ts';

/** What the person chose to be told of becomes what is pushed to them, but while they want no calls. */
export async function applyNotices(t: TxCtx): Promise<void> {
  const account = mustBe(await accountRow(t.tx, t.companyId), 'the account of this profile');
  const {
    texts = true,
    calls = true,
    voicemails = true,
  } = account.notices as Partial<Record<string, boolean>>;
  const quiet = account.do_not_disturb as { from: string; to: string } | null;
  const kinds = { message: texts, missed: calls, voicemail: voicemails };
  await setPushes(t, account.person_id, kinds, quiet);
}
