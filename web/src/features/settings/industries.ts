/** The 23 verticals (A29). */
export { industries } from '#contract/compliance/registration/lists';
