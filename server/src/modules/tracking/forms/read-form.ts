import { normalizePhone } from '#contract';
import type { Hit } from '../hits/hit.ts';

/** What a form says about who sent it. */
interface ReadForm {
  /** Its name as the website calls it. */
  form: string;
  fields: { name: string; value: string }[];
  /** E.164; null: no field has a phone number. */
  party: string | null;
  name: string | null;
  email: string | null;
}

const NAME_LENGTH = 100;
const phoneName = /phone|tel\b|mobile|cell|whatsapp/i;
const emailName = /e-?mail/i;
const fullName = /^(?:your |full |contact |patient )?name$/i;
const firstName = /first.?name|given.?name/i;
const lastName = /last.?name|family.?name|surname/i;

/** Reads a form's fields: whose it is, by their names and then by what they look like. Pure. */
export function readForm(data: Hit['data']): ReadForm {
  const all = Object.entries(data ?? {}).flatMap(([name, value]) => {
    const text = value === null ? '' : String(value).trim();
    return text ? [{ name, value: text }] : [];
  });
  const fields = all.filter(({ name }) => name !== 'form');
  const valueOf = (pattern: RegExp): string | null =>
    fields.find(({ name }) => pattern.test(name.replace(/[_-]/g, ' ').trim()))?.value ?? null;
  const likely = fields.filter(({ name }) => phoneName.test(name));
  const looksLikePhone = ({ value }: { value: string }) => /^[+(\d][\d\s().-]{6,19}$/.test(value);
  const [party] = [...likely, ...fields.filter(looksLikePhone)].flatMap(
    ({ value }) => normalizePhone(value) ?? [],
  );
  const parts = [valueOf(firstName), valueOf(lastName)].filter((one) => one !== null);
  const name = valueOf(fullName) ?? (parts.join(' ') || null);
  const email = valueOf(emailName);
  return {
    form: all.find((one) => one.name === 'form')?.value.slice(0, NAME_LENGTH) ?? '',
    fields,
    party: party ?? null,
    name: name?.slice(0, NAME_LENGTH) ?? null,
    email: email !== null && /^[^\s@]+@[^\s@]+$/.test(email) ? email : null,
  };
}
