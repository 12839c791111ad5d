import { forwarding as contract } from '#contract';

/** Fewer than 20 % answered of at least 20 calls in 30 days (A6.6). */
export const isFailing = (attempts: number, answered: number): boolean =>
  attempts >= contract.failing.attempts && answered < attempts * contract.failing.share;

interface Destination {
  type: string;
  number: string | null;
  user_id: number | null;
}
/** What is wrong with a destination, by field; null: nothing. */
export function destinationProblems(destination: Destination): Record<string, string> | null {
  if (destination.type === 'user')
    return destination.user_id === null ? { user_id: 'Choose a person.' } : null;
  if (destination.type === 'phone')
    return destination.number?.startsWith('+') ? null : { number: 'Enter a valid phone number.' };
  return /^sips?:/i.test(destination.number ?? '')
    ? null
    : { number: 'Enter a SIP address, such as sip:desk@example.com.' };
}
