export { applyKeyword, type AppliedKeyword } from './apply-keyword.ts';
export { decideOptOut } from './opt-out/decide-opt-out.ts';
export { meaningOfText, type KeywordLanguage } from './opt-out/read-opt-out.ts';
export { undecidedNumbers } from './opt-out/store-possible-opt-outs.ts';
export { lockOptOut, optIn, optOut, optedOutNumbers } from '../contacts/index.ts';
export { blockedPairs, hasBlocks, isBlocked } from './is-blocked.ts';
export { blockParty, unblockParty } from './block-party.ts';
export {
  matchesBlock,
  keywordOf,
  targetsMatching,
  textBlockReason,
  type BlockRule,
} from './rules.ts';
export { receiveReviews } from './registration/inbound.ts';
export { isVerified } from './registration/registration-required.ts';
export {
  registeredRate,
  sendRateLimits,
  type SendRateLimit,
} from './registration/send-rate-limits.ts';
export { verificationOf } from './registration/verification-of.ts';
