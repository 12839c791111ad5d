import { integrationsChanged } from '#contract/integrations/events';
import type { Destination, Verdict } from '../../../gateways/destination.ts';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { escapeHtml } from '../../../platform/html.ts';
import { queueMail } from '../../../platform/mail.ts';
import { ownersOf } from '../../companies/index.ts';
import {
  lockDestination,
  markFailed,
  markWarned,
  markWorking,
  patchDestination,
  type DestinationRow,
} from '../store.ts';
import { hasten } from '../store-replay.ts';

// The system role: addresses of the company's owners, who are people across companies.

const DAY_MS = 86_400_000;
/** Who took nothing for so long was away: what waits is sent as soon as something is taken again. */
const OUTAGE_MS = 5 * 60_000;

interface Place {
  destination: DestinationRow;
  kind: Destination;
}

/** Stores how a destination is doing after it was sent these, in their order. */
export async function noteHealth(
  t: TxCtx,
  place: Place,
  verdicts: readonly Verdict[],
): Promise<void> {
  // Of those that were taken one after another, the last says it all.
  const news = verdicts.filter(
    (verdict, n) => verdict.state !== 'sent' || verdicts[n + 1]?.state !== 'sent',
  );
  const warned = verdicts.findLast((verdict) => verdict.state === 'sent' && verdict.warning);
  for (const verdict of news)
    await noteVerdict(t, place, verdict.state === 'sent' && warned ? warned : verdict);
}

/** Stores how a destination is doing; turns it off after days in which it took nothing. */
async function noteVerdict(
  t: TxCtx,
  { destination: { id, provider }, kind }: Place,
  verdict: Verdict,
): Promise<void> {
  const { tx, companyId } = t;
  const now = t.clock();
  if (verdict.state === 'skipped') return;
  const row = await lockDestination(tx, companyId, provider, id);
  if (!row) return;
  const failingForMs = row.failing_since ? now.getTime() - row.failing_since.getTime() : 0;
  if (verdict.state === 'sent') {
    await markWorking(tx, companyId, id, now);
    if (verdict.warning !== undefined) await markWarned(tx, companyId, id, now, verdict.warning);
    if (failingForMs >= OUTAGE_MS) await hasten(tx, companyId, id, now);
    return;
  }
  await markFailed(tx, companyId, id, now, verdict.error);
  const { offAfterDays: days } = kind;
  if (days === undefined || row.status !== 'active' || failingForMs < days * DAY_MS) return;
  await patchDestination(tx, companyId, id, {
    ...{ status: 'inactive', off_because: 'failing', updated_at: now },
  });
  await audit(t, 'integration.turned_off', `destination:${id}`, {
    after: { provider, name: row.name, error: verdict.error },
  });
  await mailOwners(t, { row, label: kind.label, days }, verdict.error);
  await t.publish(integrationsChanged, { companyId, provider });
}

/** Tells the company's owners that nothing is sent to a destination any more, and how to go on. */
async function mailOwners(
  t: TxCtx,
  { row, label, days }: { row: DestinationRow; label: string; days: number },
  error: string,
): Promise<void> {
  const link = `${t.settings.publicUrl}/integrations/${row.provider}/${row.id}`;
  const text = `${row.name} (${label}) took nothing for ${days} days, so it was turned off: ${error} New events are kept. Turn it on when it works again, then replay what it missed:`;
  for (const to of await ownersOf(t.db.unscoped, t.companyId))
    await queueMail(
      t,
      {
        to,
        key: `destination-off:${row.id}:${t.now.getTime()}`,
        subject: `${row.name} was turned off`,
        text: `${text}\n${link}`,
        html: `<p>${escapeHtml(text)}</p><p><a href="${link}">${escapeHtml(link)}</a></p>`,
      },
      t.tx,
    );
}
