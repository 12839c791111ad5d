/**
 * The general settings of a company: the catalogue (decisions A20; permission switches A4), their
 * defaults, and how stored values are read.
 */
import { isIpRange } from './ip-range.ts';
import { canonicalZone } from '../routing/schedules/rules.ts';
import { alertSettings } from './catalogue-alerts.ts';
import { callSettings } from './catalogue-calls.ts';
import { companyWideSettings, type QualifiedRule, type SummaryEmail } from './catalogue-company.ts';
import { textSettings, type QuietHours } from './catalogue-texts.ts';
import type { SettingRule } from './setting-rule.ts';

export * from './setting-rule.ts';

/** Every setting of A20 by its key, also those whose subject isn't built yet (`upcoming`). */
export const settingRules = {
  ...companyWideSettings,
  ...callSettings,
  ...textSettings,
  ...alertSettings,
};

type Rules = typeof settingRules;
export type SettingKey = keyof Rules;
type ValueOf<Rule> = Rule extends SettingRule<infer Value> ? Value : never;
/** A company's settings with defaults filled in. */
export type CompanySettings = { -readonly [Key in SettingKey]: ValueOf<Rules[Key]> };

/** The keys that can be seen and changed. */
export const settingKeys = (Object.keys(settingRules) as SettingKey[]).filter(
  (key) => !(settingRules[key] as SettingRule).upcoming,
);

/** The value of each setting where nothing is set. */
export const companySettingDefaults = Object.fromEntries(
  Object.entries<SettingRule>(settingRules).map(([key, rule]) => [key, rule.default]),
) as CompanySettings;

/** Smallest and largest value of numeric settings. */
export const companySettingBounds = Object.fromEntries(
  Object.entries<SettingRule>(settingRules).flatMap(([key, { type, min, max }]) =>
    type === 'number' ? [[key, [min, max]]] : [],
  ),
) as unknown as Record<SettingKeyOf<number>, readonly [number, number]>;

/** Keys whose value is of this type. */
type SettingKeyOf<Value> = {
  [Key in SettingKey]: CompanySettings[Key] extends Value ? Key : never;
}[SettingKey];

/** Time of day, such as "21:00". */
export const timeOfDay = /^([01]\d|2[0-3]):[0-5]\d$/;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A company's effective settings: stored values where they are valid, otherwise the defaults. */
export function companySettingsOf(raw: unknown): CompanySettings {
  const stored = isRecord(raw) ? raw : {};
  return Object.fromEntries(
    Object.entries<SettingRule>(settingRules).map(([key, rule]) => [
      key,
      readValue(rule, stored[key]),
    ]),
  ) as unknown as CompanySettings;
}

/** A stored value in its setting's shape; the default where it isn't valid. */
function readValue(rule: SettingRule, value: unknown): unknown {
  switch (rule.type) {
    case 'boolean':
      return typeof value === 'boolean' ? value : rule.default;
    case 'number':
      return typeof value === 'number' && value >= (rule.min ?? 0) && value <= (rule.max ?? 0)
        ? Math.trunc(value)
        : rule.default;
    case 'choice':
      return rule.options?.some((one) => one.value === value) ? value : rule.default;
    case 'text':
      return typeof value === 'string' && value.trim() ? value : rule.default;
    case 'zone':
      return (typeof value === 'string' ? canonicalZone(value) : null) ?? rule.default;
    case 'schedule':
      return typeof value === 'number' ? value : rule.default;
    case 'quiet_hours':
      return readQuietHours(value, rule.default as QuietHours);
    case 'auto_text':
      return isRecord(value) && typeof value['text'] === 'string' && value['text'].trim()
        ? { enabled: value['enabled'] === true, text: value['text'] }
        : rule.default;
    case 'networks':
      return Array.isArray(value) ? value.filter(isIpRange) : rule.default;
    case 'channels':
      return readChannels(value, rule.default as Record<string, string[]>);
    case 'qualified_rule':
      return readQualifiedRule(value, rule.default as QualifiedRule);
    case 'summary_email':
      return readSummary(value, rule.default as SummaryEmail);
  }
}

/** Each part of stored quiet hours that is valid. */
function readQuietHours(value: unknown, usual: QuietHours): QuietHours {
  const hours = isRecord(value) ? value : {};
  const time = (part: unknown, fallback: string) =>
    typeof part === 'string' && timeOfDay.test(part) ? part : fallback;
  return {
    start: time(hours['start'], usual.start),
    end: time(hours['end'], usual.end),
    mode: hours['mode'] === 'company' ? 'company' : 'recipient',
  };
}

/** A stored summary; off where its parts aren't valid. */
function readSummary(value: unknown, usual: SummaryEmail): SummaryEmail {
  const { frequency, recipients } = isRecord(value) ? value : {};
  const known = (['daily', 'weekly'] as const).find((one) => one === frequency);
  return known && Array.isArray(recipients)
    ? { frequency: known, recipients: recipients.filter((one) => typeof one === 'string') }
    : usual;
}

/** Each part of a stored rule that is valid. */
function readQualifiedRule(value: unknown, usual: QualifiedRule): QualifiedRule {
  const rule = isRecord(value) ? value : {};
  const listOf = <Item>(part: unknown, type: 'number' | 'string') =>
    Array.isArray(part) ? (part.filter((one) => typeof one === type) as Item[]) : [];
  const least = rule['min_duration'];
  return {
    is_on: typeof rule['is_on'] === 'boolean' ? rule['is_on'] : usual.is_on,
    min_duration: typeof least === 'number' && least >= 0 ? Math.trunc(least) : usual.min_duration,
    tags: listOf<number>(rule['tags'], 'number'),
    outcomes: listOf<string>(rule['outcomes'], 'string'),
  };
}

/** The known channels of each kind of event; a kind without a list has its default. */
function readChannels(value: unknown, usual: Record<string, string[]>) {
  const stored = isRecord(value) ? value : {};
  return Object.fromEntries(
    Object.entries(usual).map(([kind, channels]) => {
      const own = stored[kind];
      return [
        kind,
        Array.isArray(own) ? ['app', 'email'].filter((one) => own.includes(one)) : channels,
      ];
    }),
  );
}
