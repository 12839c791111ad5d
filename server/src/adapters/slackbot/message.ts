import { hiddenNumber } from '#contract/integrations/rules';
import type { DeliveryFacts, News, Speech } from '../../gateways/destination.ts';
import type { SlackChannelConfig } from './channel-config.ts';

/** Slack reads these three as markup. */
const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const LONGEST = 2900;

const headlines: Record<DeliveryFacts['event'], string> = {
  'call.completed': 'Call from {who}',
  'call.answered': 'Call from {who} answered',
  'call.missed': 'Missed call from {who}',
  voicemail: 'Voicemail from {who}',
  'message.received': 'Text from {who}',
  qualified: 'Call from {who} qualified',
  lead: 'Lead: {who}',
  outcome_tag: 'Call from {who}: outcome set',
  form: 'Form from {who}',
};
const outcomes = { answered: 'Answered', missed: 'Missed', voicemail: 'Voicemail' } as const;

/** Who it is about. Where the company hides contact details, neither name nor full number is said. */
function whoOf({ party, contact, callerName, masksDetails }: DeliveryFacts): string {
  const number = party === 'anonymous' ? 'a withheld number' : party;
  if (masksDetails) return hiddenNumber(number);
  const name = contact?.name || contact?.companyName || callerName;
  return name ? `${name} (${number})` : number;
}

/** `95` → `1 min 35 s`. */
const spokenDuration = (seconds: number): string =>
  seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;

/** What a template can name, in braces; an empty word: it isn't known. */
function words(facts: DeliveryFacts): Record<string, string> {
  const { number, source, outcome, subject, masksDetails } = facts;
  const isCall = subject.type === 'call';
  return {
    who: whoOf(facts),
    number: number.label ? `${number.label} (${number.number})` : number.number,
    source: source?.label ?? '',
    campaign: source?.campaign ?? '',
    duration: isCall && facts.durationSeconds > 0 ? spokenDuration(facts.durationSeconds) : '',
    outcome: outcome ? outcomes[outcome] : '',
    text: masksDetails ? '' : (facts.text ?? ''),
    summary: masksDetails ? '' : (facts.summary ?? ''),
    link: facts.link,
  };
}

const filled = (template: string, named: Readonly<Record<string, string>>): string =>
  template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => named[name] ?? whole);

const mentions = { none: '', here: '<!here> ', channel: '<!channel> ' } as const;

/** The message of an event: its own words, or the template's; with a link for people who sign in here. */
export function messageOf({ facts, config }: Pick<Speech<SlackChannelConfig>, 'facts' | 'config'>) {
  const named = Object.fromEntries(
    Object.entries(words(facts)).map(([name, word]) => [name, escape(word)]),
  );
  const link = `<${facts.link}|Open in Trunkline>`;
  const text =
    config.template === null ? ownWords(facts, named, link) : filled(config.template, named);
  return { text: `${mentions[config.mention]}${text}`.slice(0, LONGEST) };
}

/** The message of news, with a link for people who sign in here. */
export function newsMessage({ title, lines, link }: News, { mention }: SlackChannelConfig) {
  const text = [
    `*${escape(title)}*`,
    ...lines.map((line) => `> ${escape(line)}`),
    `<${link.url}|${escape(link.text)}>`,
  ].join('\n');
  return { text: `${mentions[mention]}${text}`.slice(0, LONGEST) };
}

function ownWords(
  facts: DeliveryFacts,
  named: Readonly<Record<string, string>>,
  link: string,
): string {
  const details = [
    ['To', named['number']],
    ['Source', named['source']],
    ['Duration', named['duration']],
    ['Outcome', named['outcome']],
  ]
    .filter(([, word]) => word)
    .map(([label, word]) => `${label}: ${word}`);
  const quoted = (named['text'] || named['summary'] || '')
    .split('\n')
    .filter(Boolean)
    .map((line) => `> ${line}`);
  return [
    `*${filled(headlines[facts.event], named)}*`,
    details.join(' · '),
    ...quoted.slice(0, 12),
    link,
  ]
    .filter(Boolean)
    .join('\n');
}
