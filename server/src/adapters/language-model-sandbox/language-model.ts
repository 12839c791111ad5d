/**
 * What a language model would find, from the sentences of the transcript alone: what the client said
 * first, what the agent said last, and words that show a mood or name an outcome or a choice. It
 * understands nothing, and what it finds says that it is simulated.
 */
import { fold } from '#contract/fold';
import type {
  CallReading,
  CallToRead,
  FieldToFill,
  Finding,
  LanguageModel,
  Mood,
} from '../../gateways/language-model.ts';

interface Sentence {
  side: CallToRead['lines'][number]['side'];
  text: string;
  words: string[];
}

const wordsOf = (text: string): string[] => fold(text).match(/[\p{L}\p{N}']+/gu) ?? [];
const sentencesOf = ({ lines }: CallToRead): Sentence[] =>
  lines.flatMap(({ side, text }) =>
    text
      .split(/(?<=[.!?])\s+/)
      .filter((part) => part.trim() !== '')
      .map((part) => ({ side, text: part.trim(), words: wordsOf(part) })),
  );

const goodWords =
  /^(thank|thanks|great|perfect|wonderful|love|excellent|happy|glad|awesome|appreciate)$/;
const badWords =
  /^(angry|upset|terrible|awful|worst|hurts|pain|bad|broken|complain|complaint|disappointed|late|wrong|grinding|chipped)$/;

const outcomeWords: Readonly<Record<string, RegExp>> = {
  appt_booked:
    /\b(you are booked|you're booked|on the schedule|appointment is set|i will be there|see you (on|at|then)|can you be here)\b/,
  get_back_commitment: /\b((call|get) (you|me) back|will call you)\b/,
  not_opportunity: /\b(wrong number|not interested)\b/,
};

const finding = <T>(value: T, { text }: Sentence, reason: string | null): Finding<T> => ({
  value,
  evidence: text,
  reason,
});

function summarize(sentences: readonly Sentence[]): CallReading['summary'] {
  // People say first why they call.
  const wish = sentences.find(({ side, words }) => side !== 'agent' && words.length > 4);
  if (!wish) return null;
  const answer = sentences.findLast(({ side, words }) => side === 'agent' && words.length > 3);
  const text = answer ? `Client: “${wish.text}” Agent: “${answer.text}”` : `Client: “${wish.text}”`;
  return finding(text, wish, null);
}

function moodOf(sentences: readonly Sentence[]): CallReading['sentiment'] {
  const ofClient = sentences.filter(({ side }) => side !== 'agent');
  const has = (pattern: RegExp) =>
    ofClient.filter(({ words }) => words.some((word) => pattern.test(word)));
  const [good, bad] = [has(goodWords), has(badWords)];
  const evidence = good.at(-1) ?? bad[0];
  if (!evidence) return null;
  const value: Mood = good.length && bad.length ? 'mixed' : good.length ? 'positive' : 'negative';
  const score = (good.length - bad.length) / (good.length + bad.length);
  return { ...finding(value, evidence, null), score: Math.round(score * 100) / 100 };
}

function outcomeOf(sentences: readonly Sentence[], { outcomes }: CallToRead) {
  for (const { key } of outcomes) {
    const pattern = outcomeWords[key];
    const said = pattern && sentences.find(({ text }) => pattern.test(fold(text)));
    if (said) return finding(key, said, null);
  }
  return null;
}

/** The value of a field, from the first sentence that has one of its kind. */
function fill(
  { type, name, prompt, choices, with_reason }: FieldToFill,
  sentences: readonly Sentence[],
): Finding<string | number | boolean> | null {
  const reason = (said: Sentence) => (with_reason ? `Said: “${said.text}”` : null);
  const first = <T>(pick: (said: Sentence) => T | null) => {
    for (const said of sentences) {
      const value = pick(said);
      if (value !== null) return finding(value, said, reason(said));
    }
    return null;
  };
  const asked = new Set(wordsOf(`${name} ${prompt}`).filter((word) => word.length > 3));
  const isAbout = ({ words }: Sentence) => words.some((word) => asked.has(word));
  if (type === 'enum')
    return first(
      (said) => choices.find((choice) => ` ${fold(said.text)} `.includes(fold(choice))) ?? null,
    );
  if (type === 'phone')
    return first((said) => {
      const digits = said.text.replace(/\D/g, '');
      return /^1?\d{10}$/.test(digits) ? `+1${digits.slice(-10)}` : null;
    });
  if (type === 'number')
    return first((said) => {
      const number = /\d+(\.\d+)?/.exec(said.text);
      return number && isAbout(said) ? Number(number[0]) : null;
    });
  if (type === 'date') return null;
  const said = sentences.find((one) => one.side !== 'agent' && isAbout(one));
  if (!said) return null;
  const value = type === 'boolean' ? true : said.text.slice(0, type === 'stringText' ? 500 : 200);
  return finding(value, said, reason(said));
}

/** The demo's stand-in for a language model. */
export const extractingModel: LanguageModel = {
  engine: 'Simulated',
  isSimulated: true,
  readCall: (call) => {
    const sentences = sentencesOf(call);
    return Promise.resolve({
      model: 'sentences picked from the transcript',
      summary: summarize(sentences),
      sentiment: moodOf(sentences),
      outcome: outcomeOf(sentences, call),
      fields: Object.fromEntries(call.fields.map((one) => [one.key, fill(one, sentences)])),
      inputTokens: null,
      outputTokens: null,
      costMicros: null,
    });
  },
};
