import { t } from '#ui';

/** Other words that people look for a screen by, by its address; loaded after the screen. */
export const paletteWords = (): Record<string, string> => ({
  '/numbers/greetings': t('voicemail greeting, menu, announcement'),
  '/numbers/ports': t('porting, transfer a number'),
  '/numbers/schedule': t('schedule, holidays, closed'),
  '/organization': t('companies, accounts, park, deactivate'),
  '/organization/tenant': t('white label, logo, colors, sender'),
  '/settings/api-keys': t('tokens, developer'),
  '/settings/audit-log': t('history, changes'),
  '/settings/blocked': t('spam, block list'),
  '/settings/carriers': t('Twilio, Bandwidth, connection'),
  '/settings/data': t('archive, export, backup, download, leave'),
  '/settings/roles': t('permissions, rights, access'),
  '/settings/security': t('two-step, two-factor, 2fa, mfa, passkey, password, authenticator'),
  '/settings/sms-verification': t('10DLC, campaign registry, toll-free verification, brand'),
  '/settings/users': t('people, team, employees'),
  '/tracking/live': t('tracking, real time, visitors now, websites'),
  '/tracking/pools': t('DNI, number pools, websites'),
  '/tracking/reports': t('attribution, campaigns, ads, models'),
  '/tracking/script': t('DNI, snippet, install, website, Tag Manager, WordPress, test my page'),
  '/tracking/sources': t('attribution, campaigns, ads, rules, UTM'),
});
