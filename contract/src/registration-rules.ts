import { industries, type BrandType, type OptInType, type PlainUseCase, type UseCase, type VolumeBand } from './registration-lists.ts';

/** What must be said before a registration is complete (A13). Pure, so that the wizard shows live what submitting would refuse. */
export interface Address { line1?: string | undefined; line2?: string | undefined; city?: string | undefined; state?: string | undefined; zip?: string | undefined; country?: string | undefined }
export interface Contact { first_name?: string | undefined; last_name?: string | undefined; title?: string | undefined; email?: string | undefined; phone?: string | undefined }
export interface BrandFacts {
  type: BrandType | null; legal_name: string; dba: string; ein: string; registration_id_type: string | null; registration_id: string; stock_exchange: string | null; stock_symbol: string; industry: string | null;
  website: string; email: string; phone: string; support_email: string; support_phone: string; address: Address; contact: Contact;
}
export interface OptInFacts { type: OptInType | null; description: string; url: string; keywords: readonly string[]; files: number }
export interface CampaignFacts {
  use_case: UseCase | null; sub_usecases: readonly PlainUseCase[]; description: string; sample_messages: readonly string[]; optins: readonly OptInFacts[];
  opt_in_message: string; opt_out_message: string; help_message: string; privacy_url: string; terms_url: string; monthly_volume: VolumeBand | null;
}

export const limits = { description: { least: 40, most: 4096 }, samples: { least: 2, most: 5 }, subUseCases: { least: 2, most: 5 }, sample: { least: 20, most: 1024 } } as const;

const email = /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/;
/** An address of the web, as people type it: `https://` is added when it is missing (B §5). Null: not one. */
export function webAddress(typed: string): string | null {
  const text = typed.trim();
  if (!text || /\s/.test(text)) return null;
  try {
    const url = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
    return /^https?:$/.test(url.protocol) && url.hostname.includes('.') && !url.username ? url.href : null;
  } catch { return null; }
}
/** An employer identification number: nine digits, shown as 12-3456789. */
export const einDigits = (typed: string): string | null => { const digits = typed.replace(/[\s-]/g, ''); return /^\d{9}$/.test(digits) ? digits : null; };

type Missing = Record<string, string>;
const need = (into: Missing, field: string, ok: unknown, text: string) => { if (!ok) into[field] = text; };

/** What a brand still lacks, by field (`brand.…` left off). Empty: complete. */
export function missingOfBrand(b: BrandFacts): Missing {
  const m: Missing = {};
  need(m, 'type', b.type, 'Choose what kind of business this is.');
  need(m, 'legal_name', b.legal_name.trim(), 'Enter the legal name, as it stands in the registration.');
  need(m, 'ein', einDigits(b.ein), 'Enter the nine digits of the EIN.');
  need(m, 'industry', (industries as readonly string[]).includes(b.industry ?? ''), 'Choose an industry from the list.');
  need(m, 'website', webAddress(b.website), 'Enter the website, such as https://example.com.');
  need(m, 'email', email.test(b.email.trim()), 'Enter an e-mail address.');
  need(m, 'phone', b.phone.trim(), 'Enter a phone number.');
  if (b.support_email.trim()) need(m, 'support_email', email.test(b.support_email.trim()), 'Enter an e-mail address.');
  if (b.type === 'publicly_traded') {
    need(m, 'stock_exchange', b.stock_exchange, 'A publicly traded company names its stock exchange.');
    need(m, 'stock_symbol', b.stock_symbol.trim(), 'A publicly traded company names its stock symbol.');
  }
  if (b.registration_id_type) need(m, 'registration_id', b.registration_id.trim(), `Enter the ${b.registration_id_type} number.`);
  if (b.registration_id.trim()) need(m, 'registration_id_type', b.registration_id_type, 'Say what kind of number this is.');
  need(m, 'address.line1', b.address.line1?.trim(), 'Enter the street.');
  need(m, 'address.city', b.address.city?.trim(), 'Enter the city.');
  need(m, 'address.state', b.address.state?.trim(), 'Enter the state.');
  need(m, 'address.zip', b.address.zip?.trim(), 'Enter the ZIP code.');
  need(m, 'contact.first_name', b.contact.first_name?.trim(), 'Enter the first name.');
  need(m, 'contact.last_name', b.contact.last_name?.trim(), 'Enter the last name.');
  need(m, 'contact.email', email.test(b.contact.email?.trim() ?? ''), 'Enter an e-mail address.');
  return m;
}

/** What a campaign still lacks, by field (`campaign.…` left off). */
export function missingOfCampaign(c: CampaignFacts): Missing {
  const m: Missing = {};
  need(m, 'use_case', c.use_case, 'Choose what the texts are for.');
  if (c.use_case === 'MIXED') {
    const { least, most } = limits.subUseCases;
    need(m, 'sub_usecases', new Set(c.sub_usecases).size >= least && c.sub_usecases.length <= most, `Choose ${least} to ${most} uses for a mixed campaign.`);
  }
  const said = c.description.trim().length;
  need(m, 'description', said >= limits.description.least && said <= limits.description.most, `Describe it in ${limits.description.least} to ${limits.description.most} characters.`);
  const samples = c.sample_messages.filter((s) => s.trim());
  need(m, 'sample_messages', samples.length >= limits.samples.least && c.sample_messages.length <= limits.samples.most, `Give ${limits.samples.least} to ${limits.samples.most} sample messages.`);
  c.sample_messages.forEach((s, i) => { if (s.trim()) need(m, `sample_messages.${i}`, s.trim().length >= limits.sample.least, `A sample has at least ${limits.sample.least} characters.`); });
  need(m, 'optins', c.optins.length, 'Say how people agree to be texted.');
  c.optins.forEach((o, i) => {
    need(m, `optins.${i}.type`, o.type, 'Choose how they agree.');
    need(m, `optins.${i}.description`, o.description.trim(), 'Describe what people see and do.');
    if (o.type === 'text_to_join') need(m, `optins.${i}.keywords`, o.keywords.length, 'Name at least one keyword they text.');
    if (o.url.trim()) need(m, `optins.${i}.url`, webAddress(o.url), 'Enter a web address.');
  });
  need(m, 'opt_in_message', c.opt_in_message.trim(), 'Write what people get when they join.');
  need(m, 'opt_out_message', c.opt_out_message.trim(), 'Write what people get when they stop.');
  need(m, 'help_message', c.help_message.trim(), 'Write what people get when they text HELP.');
  need(m, 'privacy_url', webAddress(c.privacy_url), 'Enter the address of your privacy policy.');
  if (c.terms_url.trim()) need(m, 'terms_url', webAddress(c.terms_url), 'Enter a web address.');
  need(m, 'monthly_volume', c.monthly_volume, 'Choose how many texts a month.');
  return m;
}

/** Words of a brand that a sample may name it by: its legal name without the company form, or what it trades as. */
export const namesOf = (b: Pick<BrandFacts, 'legal_name' | 'dba'>): string[] =>
  [b.dba, b.legal_name.replace(/[\s,]+(inc|llc|l\.l\.c|ltd|corp|corporation|company|co|plc|gmbh|pllc|pc)\.?$/i, ''), b.legal_name].map((n) => n.trim()).filter((n) => n.length > 1);
const plain = (text: string) => text.normalize('NFKD').toLowerCase().replace(/[^a-z0-9]+/g, ' ').trim();
export const namesBrand = (sample: string, b: Pick<BrandFacts, 'legal_name' | 'dba'>): boolean => namesOf(b).some((n) => ` ${plain(sample)} `.includes(` ${plain(n)} `));
/** Says STOP as a word of its own. */
export const saysStop = (sample: string): boolean => /(^|[^a-z])stop([^a-z]|$)/i.test(sample);
/** There is something to look at: a page, a picture or document, or the keyword people text. */
export const hasProof = (o: OptInFacts): boolean => o.files > 0 || Boolean(o.url.trim()) || (o.type === 'text_to_join' && o.keywords.length > 0);

/** A page that says texts are sent, and that numbers or consent are not passed on. */
export function privacyPageFits(page: string): { sms: boolean; notShared: boolean } {
  const text = page.replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ').replace(/<[^>]+>/g, ' ').replace(/&[a-z#0-9]+;/gi, ' ').replace(/\s+/g, ' ');
  return { sms: /\b(sms|text messag\w*|texting|texts)\b/i.test(text), notShared: /\b(not|never|no)\b[^.!?]{0,160}\b(shar\w+|sell\w*|sold|rent\w*|disclos\w+|third part\w+)/i.test(text) };
}
