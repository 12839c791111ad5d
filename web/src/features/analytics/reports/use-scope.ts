import { useOrganizations } from '../dashboard/use-organizations.ts';

/** Choices that say whose calls are meant. */
interface WhoseChoices {
  organization: string;
  company: string;
  number: string;
  phrases: string;
}

/**
 * The organization that choices mean, of those that the person has several companies in (null: the
 * selected company), and the choices that hold for it: numbers and phrase lists belong to one company.
 * Not ready until the organizations are known, since it can't be told whose figures are asked for.
 */
export function useScope<T extends WhoseChoices>(choices: T) {
  const { scopes, isReady } = useOrganizations();
  const organization = scopes.find(({ id }) => String(id) === choices.organization) ?? null;
  return {
    scopes,
    organization,
    choices: {
      ...choices,
      ...(organization ? { number: '', phrases: '' } : { organization: '', company: '' }),
    },
    isReady: isReady || choices.organization === '',
  };
}
