/** Rules of registration that server and screens share: what a brand and its campaigns need (A13). */
export { einDigits } from './business-ids.ts';
export { legalFormOf, missingBrandFields, regionCode, type BrandFacts } from './brand-rules.ts';
export {
  checkPrivacyPage,
  hasProof,
  hasVisibleProof,
  limits,
  mentionsBrand,
  mentionsStop,
  missingCampaignFields,
  type CampaignFacts,
  type OptInFacts,
} from './campaign-rules.ts';
export { webAddress } from './requirements.ts';
