/** The most leads that the forms of one visit make, and the most forms of a website that are chosen. */
export const formLimits = { perVisit: 5, selectors: 20, selectorLength: 200 } as const;

/** What a field's name says when its value must never leave the page. */
const privateNames =
  /pass(?!enger|port)|pwd|\bcard|card(?:no|num)|cc[-_ ]?(?:num|no\b|exp|csc)|credit|\bcv[vc]2?\b|\bcsc\b|security.?code|\bssn\b|social.?sec|\biban\b|routing.?n|account.?n|secret|token|one.?time|\botp\b|\bpin\b/i;

/** Whether digits have the check digit of a payment card. */
function isCard(text: string): boolean {
  const digits = text.replace(/[\s-]/g, '');
  if (!/^\d{13,19}$/.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const doubled = Number(digit) * (at % 2 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

/** Whether a field of a form must be neither sent nor kept: passwords, cards, numbers of accounts. */
export const isPrivateField = (name: string, value: unknown): boolean =>
  privateNames.test(name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/_/g, ' ')) ||
  isCard(String(value ?? ''));
