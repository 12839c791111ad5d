import { isFeatureOn } from '#contract/numbers/features/rules';
import { companySettingsOf } from '#contract/settings/rules';
import { partyKind } from '#contract/party';
import type { TxCtx } from '../../../platform/context.ts';
import { companyRow } from '../../companies/index.ts';
import { contactsByNumber } from '../../contacts/index.ts';
import type { CallerScreening } from '../../routing/index.ts';
import { wasMarkedAsSpam } from '../records/store.ts';

/**
 * Screens a caller (E.164, or `anonymous`) by the company's settings `block_anonymous` and
 * `spam_screening`. Contacts always get through.
 */
export async function screenCaller(ctx: TxCtx, party: string): Promise<CallerScreening> {
  const { tx, companyId } = ctx;
  const stored = (await companyRow(tx, companyId))?.settings;
  const settings = companySettingsOf(stored);
  if (settings.block_anonymous && partyKind(party) === 'withheld')
    return { blocked: 'Callers who withhold their number are rejected.', pressOne: false };
  const mode = isFeatureOn(stored, 'spam-screening') ? settings.spam_screening : 'off';
  if (mode === 'off' || (await contactsByNumber(tx, companyId, [party])).length > 0)
    return { blocked: null, pressOne: false };
  return (await wasMarkedAsSpam(tx, companyId, party))
    ? { blocked: 'An earlier call of this caller was marked as spam.', pressOne: false }
    : { blocked: null, pressOne: mode === 'press_1' };
}
