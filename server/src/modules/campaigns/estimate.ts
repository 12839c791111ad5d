import { render, unregisteredRates, fullText } from '#contract/campaigns/rules';
import { isTollFree } from '#contract/phone';
import type { CampaignPreview } from '#contract/campaigns/schemas';
import type { TxCtx } from '../../platform/context.ts';
import { blockedPairs, hasBlocks, registeredRate } from '../compliance/index.ts';
import { countSegments } from '../messaging/index.ts';
import {
  creditsOf,
  isOpen,
  mergeValues,
  nextOpening,
  settingsOf,
  type QuietHours,
} from './rules.ts';
import { companyAccountOf, sendingNumbers, type CampaignRow } from './store.ts';
import {
  countAudience,
  groupsByIds,
  audiencePage,
  audienceCondition,
  type Audience,
} from './store-audience.ts';

export type CampaignDraft = Pick<
  CampaignRow,
  | 'text'
  | 'unsubscribe_text'
  | 'number_id'
  | 'group_ids'
  | 'should_be_sent_at'
  | 'quiet_hours'
  | 'timezone'
> & { id: number; media: unknown };
export type Estimate = Omit<CampaignPreview, 'problems'>;
/** More people than this are counted from a sample, evenly scaled: a preview must not take longer than it is looked at. */
const sampleSize = 2000;

/** Who would get it now and who not, what it costs, how it reads, and when it would be done. */
export async function estimate(t: TxCtx, c: CampaignDraft): Promise<Estimate> {
  const account = await companyAccountOf(t.tx, t.companyId);
  const settings = settingsOf(account.settings);
  const number = (await sendingNumbers(t.tx, t.companyId, [c.number_id ?? 0])).get(
    c.number_id ?? 0,
  );
  const groupId =
    c.group_ids[0] && (await groupsByIds(t, [c.group_ids[0]])).has(c.group_ids[0])
      ? c.group_ids[0]
      : null;
  const audience: Audience | null = groupId
    ? {
        campaignId: c.id,
        condition: await audienceCondition(t, groupId),
        ourNumber: number?.number ?? '',
        companyZone: account.timezone,
        textedSince: new Date(t.now.getTime() - settings.recentlyTextedHours * 3_600_000),
      }
    : null;
  const counted = audience
    ? await countAudience(t.tx, t.companyId, audience)
    : { people: 0, zones: [], reasons: {} as Record<string, number> };
  const found = audience ? await audiencePage(t.tx, t.companyId, audience, sampleSize) : [];
  // Block rules may be prefixes: looked at number by number.
  const blockedKeys =
    number && found.length && (await hasBlocks(t.tx, t.companyId))
      ? await blockedPairs(
          t.tx,
          t.companyId,
          found.map((r) => ({ numberId: number.id, party: r.number })),
        )
      : new Set<string>();
  const readers = found.filter((r) => !blockedKeys.has(`${number?.id}:${r.number}`));
  const blocked = found.length
    ? Math.round(((found.length - readers.length) / found.length) * counted.people)
    : 0;
  const [people, reasons] = [counted.people - blocked, counted.reasons];
  const template = fullText(c.text, c.unsubscribe_text);
  const withMedia = (c.media as unknown[]).length > 0;
  const texts = readers
    .map((r) => ({ ...r, text: render(template, mergeValues(r)) }))
    .map((r) => ({ ...r, ...countSegments(r.text) }));
  const scale = texts.length ? people / texts.length : 0;
  const ownText = countSegments(render(template, mergeValues(null)));
  const forcing = [
    ...new Set([...ownText.forcingCharacters, ...texts.flatMap((x) => x.forcingCharacters)]),
  ].slice(0, 50);
  const segments = Math.round(texts.reduce((sum, x) => sum + Math.max(1, x.segments), 0) * scale);
  const perSecond = number
    ? ((await registeredRate(t, number.id)) ??
      (isTollFree(number.number) ? unregisteredRates.tollFree : unregisteredRates.local))
    : unregisteredRates.local;
  const countSkipped = (key: string) => reasons[key] ?? 0;
  const [quiet, zone, from] = [
    (c.quiet_hours as QuietHours | null) ?? settings.quietHours,
    c.timezone ?? account.timezone,
    c.should_be_sent_at && c.should_be_sent_at > t.now ? c.should_be_sent_at : t.now,
  ];
  const opens = Math.min(
    ...(quiet.mode === 'company' ? [zone] : counted.zones).map((z) =>
      nextOpening(quiet, z, from).getTime(),
    ),
  );
  return {
    recipients: people,
    skipped: {
      unsubscribed: countSkipped('unsubscribed'),
      invalid: countSkipped('invalid'),
      blocked,
      duplicate: countSkipped('duplicate'),
      recently_texted: countSkipped('recently_texted'),
      own_number: countSkipped('own_number'),
    },
    segments_total: segments,
    credits: Math.round(
      texts.reduce((sum, x) => sum + creditsOf(x.segments, withMedia), 0) * scale,
    ),
    encoding: forcing.length ? 'UCS-2' : 'GSM-7',
    forcing_characters: forcing,
    first_three_rendered: texts
      .slice(0, 3)
      .map((x) => ({ name: x.name, number: x.number, text: x.text, segments: x.segments })),
    held_until: people && opens > from.getTime() ? new Date(opens).toISOString() : null,
    finish_estimate: people
      ? estimateFinish(quiet, zone, from, segments / perSecond).toISOString()
      : null,
    per_second: perSecond,
  };
}

/** So many seconds of sending, counted only while the hours are open, by the company's clock. */
function estimateFinish(quiet: QuietHours, zone: string, from: Date, seconds: number): Date {
  const step = 15 * 60;
  let at = nextOpening(quiet, zone, from);
  for (let rest = seconds, n = 0; n < 5000; n++) {
    if (rest <= step) return new Date(at.getTime() + Math.ceil(rest) * 1000);
    rest -= step;
    const next = new Date(at.getTime() + step * 1000);
    at = isOpen(quiet, zone, next) ? next : nextOpening(quiet, zone, next);
  }
  return at;
}
