/** The 23 verticals (A29). */
export { industries } from '#contract/compliance/registration/lists';

/** An industry as shown: the API's lower-case words with a capital, `Real estate`. */
export const industryLabel = (industry: string): string =>
  industry.charAt(0).toUpperCase() + industry.slice(1);
