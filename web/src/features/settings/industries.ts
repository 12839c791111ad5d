/** The 23 verticals (A29). */
export { industries } from '#contract/registration-lists';
