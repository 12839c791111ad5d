/** What a company can be without (A20): all is on unless it was turned off. Browsers load this. */

interface FeatureRule {
  label: string;
  /** What stops while it is off. What is stored stays. */
  whenOff: string;
  /** Settings of a number that `enableForExistingNumbers` turns on. */
  numbers?: readonly NumberSwitch[];
  /** Its subject isn't built yet: it can be turned off ahead, and isn't shown. */
  upcoming?: true;
}
export type NumberSwitch =
  | 'record'
  | 'call_transcription_enabled'
  | 'ai_eav_enabled'
  | 'sms_enabled'
  | 'mms_enabled';

export const features = {
  'call-recording': {
    label: 'Call recording',
    whenOff: 'No call is recorded. Earlier recordings stay.',
    numbers: ['record'],
  },
  'call-transcription': {
    label: 'Transcription',
    whenOff: 'New recordings and voicemails get no transcript.',
    numbers: ['record', 'call_transcription_enabled'],
  },
  'ai-eav': {
    label: 'AI fields',
    whenOff: 'AI reads no calls. What it found stays.',
    numbers: ['record', 'call_transcription_enabled', 'ai_eav_enabled'],
  },
  sms: {
    label: 'Texting',
    whenOff: 'No text is sent, also not by campaigns and automatic replies. Texts still arrive.',
    numbers: ['sms_enabled'],
  },
  mms: {
    label: 'Pictures in texts',
    whenOff: 'No picture is sent. Pictures still arrive.',
    numbers: ['mms_enabled'],
  },
  campaigns: {
    label: 'Campaigns',
    whenOff: 'No campaign starts. Those being sent pause.',
  },
  'links-in-messages': {
    label: 'Links in texts',
    whenOff: 'Texts and campaigns with a link are refused.',
  },
  fax: { label: 'Fax', whenOff: 'No fax is sent. Faxes still arrive.' },
  dni: {
    label: 'Dynamic numbers',
    whenOff: 'Websites show their own numbers, and pools can’t be changed.',
  },
  'multi-touch-attribution': {
    label: 'Multi-touch attribution',
    whenOff: 'Calls are credited to one visit only.',
  },
  monitoring: {
    label: 'Monitoring',
    whenOff: 'No one sees all live calls, listens, whispers or joins, and no alerts are raised.',
  },
  'in-app-calling': {
    label: 'Calls in the app',
    whenOff: 'Browsers and apps can’t call or take calls.',
  },
  'enhanced-caller-id': {
    label: 'Caller lookup',
    whenOff: 'Callers aren’t looked up. Earlier results stay.',
  },
  'custom-fields': {
    label: 'Custom fields',
    whenOff: 'Fields can’t be added or changed. Their values stay.',
  },
  'api-access': {
    label: 'API access',
    whenOff: 'API keys and applications are refused.',
  },
  webhooks: { label: 'Webhooks', whenOff: 'Nothing is delivered.' },
  'spam-screening': {
    label: 'Spam screening',
    whenOff: 'Callers marked as spam get through, and unknown callers aren’t asked to press 1.',
  },
  'white-label': {
    label: 'Own brand',
    whenOff: 'Pages and email show the platform’s brand, and it can’t be changed.',
  },
  marketplace: {
    label: 'Marketplace',
    whenOff: 'Numbers can’t be listed or leased. Leases continue.',
  },
  'data-groups': {
    label: 'Data groups',
    whenOff: 'They can’t be opened or changed.',
  },
  'audit-log': {
    label: 'Audit log',
    whenOff: 'It can’t be read. It is still written.',
  },
  'number-templates': {
    label: 'Number templates',
    whenOff: 'Templates can’t be added or changed.',
  },
} as const satisfies Record<string, FeatureRule>;

export type FeatureName = keyof typeof features;
export const featureNames = Object.keys(features) as [FeatureName, ...FeatureName[]];

/** Under this key a company's settings say whether a feature is on. */
export const featureKey = (name: FeatureName): string => `feature.${name}`;

/** Whether a feature is on in a company with these settings; it is unless it was turned off. */
export const isFeatureOn = (settings: unknown, name: FeatureName): boolean =>
  (settings as Readonly<Record<string, unknown>> | null | undefined)?.[featureKey(name)] !== false;

/** Under this key a company's settings list what its plan lacks; those are off as well. */
const planLacksKey = 'feature.plan_lacks';
/** Whether the company's plan lacks a feature. */
export const isLackedByPlan = (settings: unknown, name: FeatureName): boolean => {
  const lacks = (settings as Readonly<Record<string, unknown>> | null | undefined)?.[planLacksKey];
  return Array.isArray(lacks) && lacks.includes(name);
};

/** What no one can ask for while the feature is off: names of endpoints. */
export const endpointsOfFeature: Partial<Record<FeatureName, readonly string[]>> = {
  webhooks: ['createWebhook', 'testWebhook'],
  'ai-eav': ['readCall'],
  sms: ['sendMessage', 'scheduleMessage', 'converse', 'testCampaign'],
  campaigns: [
    'createCampaign',
    'updateCampaign',
    'patchCampaign',
    'duplicateCampaign',
    'approveCampaign',
    'resumeCampaign',
    'testCampaign',
  ],
  fax: ['sendFax', 'retryFax'],
  dni: ['createPool', 'updatePool', 'previewPools'],
  'data-groups': [
    'listDataGroups',
    'getDataGroup',
    'createDataGroup',
    'updateDataGroup',
    'deleteDataGroup',
    'attachToDataGroup',
    'detachFromDataGroup',
  ],
  monitoring: ['listLiveCalls', 'monitorCall', 'listAlerts', 'countAlerts', 'updateAlert'],
  'in-app-calling': [
    'callingToken',
    'toggleCallingStatus',
    'beatCalling',
    'canAnswerCall',
    'placeCall',
  ],
  'enhanced-caller-id': ['lookUpCaller', 'lookUpNumber', 'lookUpSender'],
  'custom-fields': ['createField', 'updateField', 'overrideField'],
  'white-label': [
    'updateTenantInformation',
    'startSenderVerification',
    'setCustomDomain',
    'setCompanyBranding',
  ],
  marketplace: [
    'updateMarketplaceNumber',
    'listOnMarketplace',
    'makeOffer',
    'reserveListing',
    'leaseListing',
  ],
  'audit-log': [
    'listAuditLog',
    'getAuditEntry',
    'exportAuditLog',
    'readAuditFeed',
    'createAuditStream',
  ],
  'number-templates': ['createNumberTemplate', 'updateNumberTemplate'],
};

const byEndpoint = new Map<string, FeatureName[]>();
for (const name of featureNames)
  for (const endpoint of endpointsOfFeature[name] ?? [])
    byEndpoint.set(endpoint, [...(byEndpoint.get(endpoint) ?? []), name]);

/** The features that an endpoint belongs to; none: it always works. */
export const featuresOfEndpoint = (endpoint: string): readonly FeatureName[] =>
  byEndpoint.get(endpoint) ?? [];
