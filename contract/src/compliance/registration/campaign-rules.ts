import type { BrandFacts } from './brand-rules.ts';
import type { OptInType, PlainUseCase, UseCase, VolumeBand } from './lists.ts';
import { need, webAddress, type MissingFields } from './requirements.ts';

export interface OptInFacts {
  type: OptInType | null;
  description: string;
  url: string;
  keywords: readonly string[];
  files: number;
}

export interface CampaignFacts {
  use_case: UseCase | null;
  sub_usecases: readonly PlainUseCase[];
  description: string;
  sample_messages: readonly string[];
  optins: readonly OptInFacts[];
  opt_in_message: string;
  opt_out_message: string;
  help_message: string;
  privacy_url: string;
  terms_url: string;
  monthly_volume: VolumeBand | null;
}

/** Lengths in characters, and numbers of samples and use cases, that registries accept. */
export const limits = {
  description: { least: 40, most: 4096 },
  samples: { least: 2, most: 5 },
  subUseCases: { least: 2, most: 5 },
  sample: { least: 20, most: 1024 },
  reply: { least: 20, most: 320 },
} as const;

function needOptIns(m: MissingFields, optins: readonly OptInFacts[]): void {
  need(m, 'optins', optins.length, 'Enter how people agree to receive texts.');
  optins.forEach((o, i) => {
    need(m, `optins.${i}.type`, o.type, 'Choose an opt-in method.');
    need(
      m,
      `optins.${i}.description`,
      o.description.trim(),
      'Describe what people see and do to opt in.',
    );
    if (o.type === 'text_to_join')
      need(m, `optins.${i}.keywords`, o.keywords.length, 'Enter at least one keyword.');
    if (o.url.trim()) need(m, `optins.${i}.url`, webAddress(o.url), 'Enter a web address.');
  });
}

/** Problems of the automatic replies to people who join, stop or ask for help. */
function needReplies(m: MissingFields, c: CampaignFacts): void {
  const { least: shortest, most: longest } = limits.reply;
  for (const [field, when] of [
    ['opt_in_message', 'join'],
    ['opt_out_message', 'stop'],
    ['help_message', 'text HELP'],
  ] as const) {
    const length = c[field].trim().length;
    need(
      m,
      field,
      length >= shortest && length <= longest,
      length
        ? `Enter ${shortest} to ${longest} characters.`
        : `Enter the message people get when they ${when}.`,
    );
  }
}

/** Problems of a campaign by field, without the prefix `campaign.`; empty: complete. */
export function missingCampaignFields(c: CampaignFacts): MissingFields {
  const m: MissingFields = {};
  need(m, 'use_case', c.use_case, 'Choose the purpose of the texts.');
  if (c.use_case === 'MIXED') {
    const { least, most } = limits.subUseCases;
    need(
      m,
      'sub_usecases',
      new Set(c.sub_usecases).size >= least && c.sub_usecases.length <= most,
      `Choose ${least} to ${most} use cases for a mixed campaign.`,
    );
  }
  const descriptionLength = c.description.trim().length;
  need(
    m,
    'description',
    descriptionLength >= limits.description.least && descriptionLength <= limits.description.most,
    `Enter a description of ${limits.description.least} to ${limits.description.most} characters.`,
  );
  const samples = c.sample_messages.filter((s) => s.trim());
  need(
    m,
    'sample_messages',
    samples.length >= limits.samples.least && c.sample_messages.length <= limits.samples.most,
    `Enter ${limits.samples.least} to ${limits.samples.most} sample messages.`,
  );
  c.sample_messages.forEach((s, i) => {
    if (s.trim())
      need(
        m,
        `sample_messages.${i}`,
        s.trim().length >= limits.sample.least,
        `Enter at least ${limits.sample.least} characters for each sample.`,
      );
  });
  needOptIns(m, c.optins);
  needReplies(m, c);
  need(m, 'privacy_url', webAddress(c.privacy_url), 'Enter the URL of your privacy policy.');
  if (c.terms_url.trim()) need(m, 'terms_url', webAddress(c.terms_url), 'Enter a web address.');
  need(m, 'monthly_volume', c.monthly_volume, 'Choose a monthly message volume.');
  return m;
}

/**
 * Names a sample may mention a brand by: trade name, or legal name with or without its legal form.
 */
const namesOf = (b: Pick<BrandFacts, 'legal_name' | 'dba'>): string[] =>
  [
    b.dba,
    b.legal_name.replace(
      /[\s,]+(inc|llc|l\.l\.c|ltd|corp|corporation|company|co|plc|gmbh|pllc|pc)\.?$/i,
      '',
    ),
    b.legal_name,
  ]
    .map((n) => n.trim())
    .filter((n) => n.length > 1);

const plain = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

/**
 * Whether a sample message names the brand by its legal name or its DBA, as carriers require (A13).
 */
export const mentionsBrand = (sample: string, b: Pick<BrandFacts, 'legal_name' | 'dba'>): boolean =>
  namesOf(b).some((n) => ` ${plain(sample)} `.includes(` ${plain(n)} `));

/** Whether the sample contains STOP as a separate word. */
export const mentionsStop = (sample: string): boolean => /(^|[^a-z])stop([^a-z]|$)/i.test(sample);

/** Toll-free review needs proof to look at: a file or a URL; a keyword is not enough. */
export const hasVisibleProof = (o: OptInFacts): boolean => o.files > 0 || Boolean(o.url.trim());

/** Whether the opt-in can be checked by a reviewer: a file, a web address, or keywords to text. */
export const hasProof = (o: OptInFacts): boolean =>
  o.files > 0 || Boolean(o.url.trim()) || (o.type === 'text_to_join' && o.keywords.length > 0);

/** Whether a privacy policy mentions texting, and says that data is not shared. */
export function checkPrivacyPage(page: string): { sms: boolean; notShared: boolean } {
  const text = page
    .replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&[a-z#0-9]+;/gi, ' ')
    .replace(/\s+/g, ' ');
  return {
    sms: /\b(sms|text messag\w*|texting|texts)\b/i.test(text),
    notShared:
      /\b(not|never|no)\b[^.!?]{0,160}\b(shar\w+|sell\w*|sold|rent\w*|disclos\w+|third part\w+)/i.test(
        text,
      ),
  };
}
