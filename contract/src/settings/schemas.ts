import { z } from 'zod';
import { flag, id } from '../schemas.ts';
import { canonicalZone } from '../routing/schedules/rules.ts';
import { emailAddress } from '../email-address.ts';
import { outcomeTags } from '../calls/rules.ts';
import { isIpRange } from './ip-range.ts';
import {
  settingKeys,
  settingRules,
  timeOfDay,
  type CompanySettings,
  type SettingKey,
  type SettingRule,
} from './rules.ts';

const time = z.string().regex(timeOfDay, 'Enter a time, such as 21:00.');
const channels = z.array(z.enum(['app', 'email'])).max(2);

const qualifiedRule = z.object({
  is_on: z.boolean().default(true),
  min_duration: z.number().int().min(0).max(86_400).meta({ description: 'Seconds of talk' }),
  tags: z.array(id).max(50).default([]),
  outcomes: z.array(z.enum(outcomeTags)).max(outcomeTags.length).default([]),
});

const summaryEmail = z.object({
  frequency: z.enum(['off', 'daily', 'weekly']),
  recipients: z.array(emailAddress).max(20, 'At most 20 addresses.').default([]),
});

/** The values that a setting accepts. */
function valueSchema(rule: SettingRule): z.ZodType {
  switch (rule.type) {
    case 'boolean':
      return flag;
    case 'number': {
      const [least, most] = [rule.min ?? 0, rule.max ?? 0];
      const why = `Enter a whole number from ${least} to ${most}.`;
      return z.number(why).int(why).min(least, why).max(most, why);
    }
    case 'choice':
      return z.enum((rule.options ?? []).map(({ value }) => value) as [string, ...string[]]);
    case 'text':
      return z
        .string()
        .trim()
        .min(1, 'Enter text that tells people how to opt out.')
        .max(rule.max ?? 160, `At most ${rule.max ?? 160} characters.`);
    case 'zone':
      return z
        .string()
        .max(60)
        .refine((zone) => canonicalZone(zone) !== null, 'Choose a time zone from the list.')
        .transform((zone) => canonicalZone(zone) ?? zone);
    case 'schedule':
      return id;
    case 'quiet_hours':
      return z.object({ start: time, end: time, mode: z.enum(['recipient', 'company']) });
    case 'auto_text':
      return z
        .object({
          enabled: z.boolean(),
          text: z
            .string()
            .trim()
            .max(rule.max ?? 480),
        })
        .refine(({ enabled, text }) => !enabled || text !== '', {
          path: ['text'],
          message: 'Enter the text to send.',
        });
    case 'networks':
      return z
        .array(
          z
            .string()
            .trim()
            .refine(isIpRange, 'Enter an IP address or a range, such as 203.0.113.0/24.'),
        )
        .max(200);
    case 'channels':
      return z.object({ missed: channels, voicemail: channels, message: channels });
    case 'qualified_rule':
      return qualifiedRule;
    case 'summary_email':
      return summaryEmail.refine(
        ({ frequency, recipients }) => frequency === 'off' || recipients.length > 0,
        { path: ['recipients'], message: 'Enter an email address.' },
      );
  }
}

/** The schema of each setting’s value. */
const settingSchemas = Object.fromEntries(
  settingKeys.map((key) => [key, valueSchema(settingRules[key])]),
) as Record<SettingKey, z.ZodType>;

type SettingsIn = Partial<{ [Key in SettingKey]: CompanySettings[Key] | null }>;

/** Settings to change; null restores what is inherited. Unknown keys are rejected. */
export const settingsIn = z
  .object(Object.fromEntries(settingKeys.map((key) => [key, settingSchemas[key].nullable()])))
  .partial() as unknown as z.ZodType<SettingsIn, SettingsIn>;

/** A company's effective settings in an answer. */
export const companySettings = z.object(
  Object.fromEntries(
    Object.entries<SettingRule>(settingRules).map(([key, rule]) => [key, answerSchema(rule)]),
  ),
) as unknown as z.ZodType<CompanySettings>;

/** What an answer holds for a setting. */
function answerSchema(rule: SettingRule): z.ZodType {
  switch (rule.type) {
    case 'boolean':
      return rule.default === null ? z.boolean().nullable() : z.boolean();
    case 'number':
      return z.number();
    case 'choice':
      return z.enum((rule.options ?? []).map(({ value }) => value) as [string, ...string[]]);
    case 'text':
    case 'zone':
      return z.string();
    case 'schedule':
      return z.number().nullable();
    case 'quiet_hours':
      return z.object({
        start: z.string(),
        end: z.string(),
        mode: z.enum(['recipient', 'company']),
      });
    case 'auto_text':
      return z.object({ enabled: z.boolean(), text: z.string() });
    case 'networks':
      return z.array(z.string());
    case 'channels':
      return z.object({ missed: channels, voicemail: channels, message: channels });
    case 'qualified_rule':
      return qualifiedRule;
    case 'summary_email':
      return summaryEmail.extend({ recipients: z.array(z.string()) });
  }
}
