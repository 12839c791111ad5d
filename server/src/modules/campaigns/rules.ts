import { nameParts } from '#contract/contacts/name-parts';
import { hash } from 'node:crypto';
import { areaCodes } from '#contract/area-codes';
import { mergeTags, type MergeTag, mentionsToday } from '#contract/campaigns/rules';
import { formatPhone } from '#contract/phone';
import { companySettingsOf } from '#contract/settings/rules';

// ---- hours ----

/**
 * No one is texted from `start` until `end` ("21:00" to "08:00"), in the recipient's time zone or
 * the company's.
 */
export interface QuietHours {
  start: string;
  end: string;
  mode: 'recipient' | 'company';
}
const clocks = new Map<string, Intl.DateTimeFormat>();
/** Local time in a zone: minutes since midnight, and the day (YYYY-MM-DD). */
export function wallClock(zone: string, at: Date): { minutes: number; day: string } {
  let clock = clocks.get(zone);
  if (!clock)
    clocks.set(
      zone,
      (clock = new Intl.DateTimeFormat('en-CA', {
        timeZone: zone,
        hourCycle: 'h23',
        year: 'numeric',
        month: '2-digit',
        day: '2-digit',
        hour: '2-digit',
        minute: '2-digit',
      })),
    );
  const part = Object.fromEntries(clock.formatToParts(at).map((p) => [p.type, p.value]));
  return {
    minutes: Number(part['hour']) * 60 + Number(part['minute']),
    day: `${part['year']}-${part['month']}-${part['day']}`,
  };
}
const minutesOf = (time: string): number =>
  Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
/**
 * Whether people in this zone may be texted at that time. Equal start and end mean no quiet hours.
 */
export function isOpen(quiet: QuietHours, zone: string, at: Date): boolean {
  const [start, end, now] = [
    minutesOf(quiet.start),
    minutesOf(quiet.end),
    wallClock(zone, at).minutes,
  ];
  if (start === end) return true;
  return start < end ? now < start || now >= end : now >= end && now < start;
}
const minute = 60_000;
/**
 * The first minute from `at` on in which people in this zone may be texted. Computed in local time,
 * whose changes twice a year may skip the minute of the opening, or all of a short one.
 */
export function nextOpening(quiet: QuietHours, zone: string, at: Date): Date {
  if (isOpen(quiet, zone, at)) return at;
  let ms = Math.floor(at.getTime() / minute) * minute;
  for (let n = 0; n < 10 && !isOpen(quiet, zone, new Date(ms)); n++) {
    const ahead = (minutesOf(quiet.end) - wallClock(zone, new Date(ms)).minutes + 1440) % 1440;
    ms += (ahead || 1440) * minute;
  }
  while (ms - minute > at.getTime() && isOpen(quiet, zone, new Date(ms - minute))) ms -= minute;
  return new Date(ms);
}
/** The company's settings that concern campaigns, with defaults for missing and invalid ones. */
interface CampaignSettings {
  quietHours: QuietHours;
  recentlyTextedHours: number;
  maxSize: number;
  approvalRequired: boolean;
}
/** A company's settings for campaigns, with defaults for what it hasn't set. */
export function settingsOf(raw: unknown): CampaignSettings {
  const all = companySettingsOf(raw);
  return {
    quietHours: all.quiet_hours,
    recentlyTextedHours: all.recently_texted_guard_hours,
    maxSize: all.max_campaign_size,
    approvalRequired: all.campaign_approval_required,
  };
}

// ---- time zones of recipients ----

/** Area codes and their zones, as two columns. */
export function zonesByAreaCode(): { codes: string[]; zones: string[] } {
  const all = [...areaCodes().values()];
  return { codes: all.map((a) => a.code), zones: all.map((a) => a.timezone) };
}
/** States and the zone in which most of their area codes lie. */
export function zonesByState(): { states: string[]; zones: string[] } {
  const votes = new Map<string, Map<string, number>>();
  for (const { state, timezone } of areaCodes().values()) {
    const zones = votes.get(state) ?? new Map<string, number>();
    votes.set(state, zones.set(timezone, (zones.get(timezone) ?? 0) + 1));
  }
  return {
    states: [...votes.keys()],
    // Every state here has a vote.
    zones: [...votes.values()].map(
      (zones) => [...zones].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]![0],
    ),
  };
}
/**
 * The state of a ZIP code, by its first three digits up to a number; used where area code and state
 * are unknown.
 */
const zipEnds =
  '004:-,005:NY,009:PR,027:MA,029:RI,038:NH,049:ME,054:VT,055:MA,059:VT,069:CT,089:NJ,098:-,149:NY,196:PA,199:DE,205:DC,219:MD,246:VA,268:WV,289:NC,299:SC,319:GA,349:FL,369:AL,385:TN,397:MS,399:GA,427:KY,459:OH,479:IN,499:MI,528:IA,549:WI,567:MN,569:DC,577:SD,588:ND,599:MT,629:IL,658:MO,679:KS,693:NE,714:LA,729:AR,749:OK,799:TX,816:CO,831:WY,838:ID,847:UT,865:AZ,884:NM,885:TX,898:NV,966:CA,968:HI,979:OR,994:WA,999:AK';
/** Upper ends of ranges of three-digit ZIP prefixes, and their zones; null: unassigned. */
export function zonesByZip(): { ends: number[]; zones: (string | null)[] } {
  const { states, zones } = zonesByState();
  // One zone for each state.
  const zoneOf = new Map(states.map((s, i) => [s, zones[i]!]));
  const pairs = zipEnds.split(',').map((p) => p.split(':') as [string, string]);
  return {
    ends: pairs.map(([end]) => Number(end)),
    zones: pairs.map(([, state]) => zoneOf.get(state) ?? null),
  };
}

// ---- one recipient's text ----

/** Values of the merge tags for a contact; empty ones for null. */
export function mergeValues(
  contact: { name: string; number: string; email: string } | null,
): Record<MergeTag, string> {
  if (!contact)
    return Object.fromEntries(Object.keys(mergeTags).map((k) => [k, ''])) as Record<
      MergeTag,
      string
    >;
  const { first, last } = nameParts(contact.name);
  return {
    first_name: first,
    last_name: last,
    phone: formatPhone(contact.number),
    email: contact.email,
  };
}

/** One credit per segment, and one more with media (A12.4). */
export const creditsOf = (segments: number, withMedia: boolean): number =>
  Math.max(1, segments) + (withMedia ? 1 : 0);

// ---- sending ----

/**
 * The idempotency key of a recipient's text: always the same, unless the text changed before it was
 * submitted or someone retries a rejected one (`round`). It names company and recipient, so that a
 * receipt finds its row.
 */
export function idempotencyKeyOf(
  r: { company_id: number; id: number; campaign_id: number; to_number: string; round: number },
  version: number,
): string {
  const seal = hash('sha256', `${r.campaign_id}:${r.to_number}:${version}:${r.round}`, 'hex').slice(
    0,
    24,
  );
  return `c.${r.company_id}.${r.id}.${seal}`;
}
/** The recipient that such a key names; null: it isn't one. */
export function parseIdempotencyKey(key: string | null): { companyId: number; id: number } | null {
  const match = /^c\.(\d{1,16})\.(\d{1,16})\.[0-9a-f]{24}$/.exec(key ?? '');
  return match ? { companyId: Number(match[1]), id: Number(match[2]) } : null;
}

/** A campaign pauses when more than `share` of its `last` results failed, of at least `atLeast`. */
export const errorRate = { last: 200, atLeast: 50, share: 0.3 } as const;
/** Whether so many of the latest texts failed that the campaign must pause; never for few texts. */
export const exceedsErrorRate = (outcomes: { n: number; failed: number }): boolean =>
  outcomes.n >= errorRate.atLeast && outcomes.failed / outcomes.n > errorRate.share;

/** A campaign more than an hour late doesn't start on its own (A12.1). */
export const isStale = (due: Date | null, now: Date): boolean =>
  due !== null && now.getTime() - due.getTime() > 3_600_000;
/**
 * Whether a campaign may resume on another day: as set (`own`), or else unless its text is about
 * today.
 */
export const resumesNextDay = (own: boolean | null, text: string): boolean =>
  own ?? !mentionsToday(text);

/**
 * Seconds until a carrier that takes nothing is tried again; after an hour the campaign is paused.
 */
export const carrierRetrySeconds = (times: number): number => Math.min(60, 2 ** Math.min(times, 6));
export const carrierGiveUpMs = 3_600_000;
/** A claim older than this is checked at the carrier, even if its dispatcher lives (A12.3). */
export const claimSeconds = 120;
/** Errors that may be temporary, so that `retry_failed` retries them. */
export const isTransient = (code: string | null): boolean =>
  code === 'carrier_away' || code === 'unreachable';
