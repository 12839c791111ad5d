import type { AlertKind } from '#contract/monitoring/rules';
import {
  apiKeyUnused,
  integrationError,
  integrationSilent,
  paymentFailed,
  poolExhausted,
  portActionRequired,
  webhookDead,
} from './store-accounts.ts';
import { planNearlyUsed, planUsedUp, spendLimitNear, spendLimitReached } from './store-billing.ts';
import {
  forwardFailing,
  numberReputation,
  numberSilent,
  recordingMissing,
  shortCalls,
  spamWave,
  transcriptionFailing,
} from './store-calls.ts';
import type { Rule } from './finding.ts';
import { callsNegative, phraseSaid } from './store-said.ts';
import { newDevice } from './store-sign-ins.ts';
import { scriptDuplicate, scriptMissing, scriptWrongKey } from './store-script.ts';
import {
  campaignPausedAuto,
  optOutWaiting,
  smsDeliveryLow,
  smsOptOutHigh,
  smsVerificationAction,
} from './store-texts.ts';
import {
  attributionDrop,
  poolNotSwapping,
  poolOversized,
  sourceUnknownSpike,
} from './store-tracking.ts';
import { callsDrop, callsSpike, missedRateHigh } from './store-usual-calls.ts';

/** How each kind of alert is found. */
export const ruleOf: Readonly<Record<AlertKind, Rule>> = {
  phrase_said: phraseSaid,
  calls_negative: callsNegative,
  missed_rate_high: missedRateHigh,
  calls_drop: callsDrop,
  calls_spike: callsSpike,
  number_silent: numberSilent,
  short_calls: shortCalls,
  number_reputation: numberReputation,
  spam_wave: spamWave,
  forward_failing: forwardFailing,
  recording_missing: recordingMissing,
  transcription_failing: transcriptionFailing,
  sms_delivery_low: smsDeliveryLow,
  sms_optout_high: smsOptOutHigh,
  opt_out_waiting: optOutWaiting,
  campaign_paused_auto: campaignPausedAuto,
  port_action_required: portActionRequired,
  sms_verification_action: smsVerificationAction,
  dni_not_swapping: poolNotSwapping,
  dni_script_missing: scriptMissing,
  dni_script_wrong_key: scriptWrongKey,
  dni_script_duplicate: scriptDuplicate,
  dni_pool_exhausted: poolExhausted,
  dni_pool_oversized: poolOversized,
  attribution_drop: attributionDrop,
  source_unknown_spike: sourceUnknownSpike,
  integration_error: integrationError,
  integration_silent: integrationSilent,
  webhook_dead: webhookDead,
  payment_failed: paymentFailed,
  usage_80: planNearlyUsed,
  usage_100: planUsedUp,
  spend_limit_80: spendLimitNear,
  spend_limit: spendLimitReached,
  security_new_device: newDevice,
  api_key_unused_90d: apiKeyUnused,
};
