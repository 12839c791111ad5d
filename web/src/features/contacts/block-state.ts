import { normalizePhone } from '#contract/phone';

interface Rule {
  id: number;
  target: string;
  action: number;
  global: boolean;
}

/**
 * The block that matches a contact's number, compared as E.164 (A §5): "(212) 555-0147" and
 * "+12125550147" are equal, a name matches nothing. Prefix blocks are ignored, because they can't
 * be undone from here.
 */
export function blockStateOf(blocks: readonly Rule[], label: string): Rule | null {
  const number = normalizePhone(label);
  return number
    ? (blocks.find((b) => b.action === 1 && normalizePhone(b.target) === number) ?? null)
    : null;
}
