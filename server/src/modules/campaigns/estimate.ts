import { nameParts } from '#contract/contacts/name-parts';
import { render, unregisteredRates, fullText, tagsIn } from '#contract/campaigns/rules';
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
import { type CampaignRow } from './store.ts';
import {
  companyAccountOf,
  sendingNumbers,
  type CompanyAccount,
  type SendingNumber,
} from './store-senders.ts';
import {
  countAudience,
  groupsByIds,
  audiencePage,
  audienceCondition,
  type Audience,
  type AudienceMember,
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
type Estimate = Omit<CampaignPreview, 'problems'>;
/**
 * Costs of larger groups are estimated from so many members, scaled up, so that a preview stays
 * fast.
 */
const sampleSize = 2000;
const maxForcingCharacters = 50;

/**
 * Who would get a campaign now and who not, what it costs, how it reads, and when it would be done.
 */
export async function estimate(t: TxCtx, c: CampaignDraft): Promise<Estimate> {
  const account = await companyAccountOf(t.tx, t.companyId);
  const settings = settingsOf(account.settings);
  const numberId = c.number_id ?? 0;
  const number = (await sendingNumbers(t.tx, t.companyId, [numberId])).get(numberId);
  const { people, blocked, reasons, zones, sample } = await sampleAudience(t, c, account, number);
  const costs = costsOf(c, sample, people);
  const perSecond = await rateOf(t, number);
  const quiet = (c.quiet_hours as QuietHours | null) ?? settings.quietHours;
  const zone = c.timezone ?? account.timezone;
  const sendAt = c.should_be_sent_at;
  const from = sendAt && sendAt > t.now ? sendAt : t.now;
  const hourZones = quiet.mode === 'company' ? [zone] : zones;
  const opens = Math.min(...hourZones.map((z) => nextOpening(quiet, z, from).getTime()));
  const finish = people ? estimateFinish(quiet, zone, from, costs.segments / perSecond) : null;
  const countSkipped = (reason: string) => reasons[reason] ?? 0;
  return {
    recipients: people,
    skipped: {
      unsubscribed: countSkipped('unsubscribed'),
      invalid: countSkipped('invalid'),
      blocked,
      duplicate: countSkipped('duplicate'),
      recently_texted: countSkipped('recently_texted'),
      possible_opt_out: countSkipped('possible_opt_out'),
      own_number: countSkipped('own_number'),
    },
    segments_total: costs.segments,
    credits: costs.credits,
    encoding: costs.forcing.length ? 'UCS-2' : 'GSM-7',
    forcing_characters: costs.forcing,
    first_three_rendered: oddNamesFirst(c.text, costs.texts)
      .slice(0, 3)
      .map(({ name, number: to, text, segments }) => ({ name, number: to, text, segments })),
    held_until: people && opens > from.getTime() ? new Date(opens).toISOString() : null,
    finish_estimate: finish?.toISOString() ?? null,
    per_second: perSecond,
  };
}

/** A preview shows first what is worth a look: names that were turned round or lost a title. */
const oddNamesFirst = <T extends { name: string }>(template: string, texts: readonly T[]): T[] => {
  const named = tagsIn(template).used.some((tag) => tag === 'first_name' || tag === 'last_name');
  const isOdd = ({ name }: T) => named && name !== '' && nameParts(name).isOdd;
  return [...texts.filter(isOdd), ...texts.filter((one) => !isOdd(one))];
};

interface SampledAudience {
  /** Who would get it, and how many of the group are blocked: scaled up from the sample. */
  people: number;
  blocked: number;
  /** How many are skipped, by reason. */
  reasons: Record<string, number>;
  zones: string[];
  sample: AudienceMember[];
}
/** Counts the draft's group and loads a sample of it; no one when it has none. */
async function sampleAudience(
  t: TxCtx,
  c: CampaignDraft,
  account: CompanyAccount,
  number: SendingNumber | undefined,
): Promise<SampledAudience> {
  const groupId = c.group_ids[0];
  if (!groupId || !(await groupsByIds(t, [groupId])).has(groupId))
    return { people: 0, blocked: 0, reasons: {}, zones: [], sample: [] };
  const guardMs = settingsOf(account.settings).recentlyTextedHours * 3_600_000;
  const audience: Audience = {
    campaignId: c.id,
    condition: await audienceCondition(t, groupId),
    ourNumber: number?.number ?? '',
    companyZone: account.timezone,
    textedSince: new Date(t.now.getTime() - guardMs),
  };
  const { people, reasons, zones } = await countAudience(t.tx, t.companyId, audience);
  const members = await audiencePage(t.tx, t.companyId, audience, sampleSize);
  const sample = await withoutBlocked(t, members, number);
  const blockedShare = members.length ? (members.length - sample.length) / members.length : 0;
  const blocked = Math.round(blockedShare * people);
  return { people: people - blocked, blocked, reasons, zones, sample };
}

/** Block rules may be prefixes, so each number is checked. */
async function withoutBlocked(
  t: TxCtx,
  members: AudienceMember[],
  number: SendingNumber | undefined,
): Promise<AudienceMember[]> {
  if (!number || !members.length || !(await hasBlocks(t.tx, t.companyId))) return members;
  const pairs = members.map((member) => ({ numberId: number.id, party: member.number }));
  const blocked = await blockedPairs(t.tx, t.companyId, pairs);
  return members.filter((member) => !blocked.has(`${number.id}:${member.number}`));
}

/**
 * Segments and credits of all `people`, scaled up from the sample, and the characters that force
 * UCS-2.
 */
function costsOf(c: CampaignDraft, sample: readonly AudienceMember[], people: number) {
  const template = fullText(c.text, c.unsubscribe_text);
  const withMedia = (c.media as unknown[]).length > 0;
  const texts = sample.map((member) => {
    const text = render(template, mergeValues(member));
    return { ...member, text, ...countSegments(text) };
  });
  const scale = texts.length ? people / texts.length : 0;
  const own = countSegments(render(template, mergeValues(null))).forcingCharacters;
  const forcing = new Set([...own, ...texts.flatMap((each) => each.forcingCharacters)]);
  const segments = texts.reduce((sum, each) => sum + Math.max(1, each.segments), 0);
  const credits = texts.reduce((sum, each) => sum + creditsOf(each.segments, withMedia), 0);
  return {
    texts,
    forcing: [...forcing].slice(0, maxForcingCharacters),
    segments: Math.round(segments * scale),
    credits: Math.round(credits * scale),
  };
}

/** Segments per second of this number. */
async function rateOf(t: TxCtx, number: SendingNumber | undefined): Promise<number> {
  if (!number) return unregisteredRates.local;
  const registered = await registeredRate(t, number.id);
  if (registered !== null) return registered;
  return isTollFree(number.number) ? unregisteredRates.tollFree : unregisteredRates.local;
}

/** When so many seconds of sending are over, counted only while hours are open in this zone. */
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
