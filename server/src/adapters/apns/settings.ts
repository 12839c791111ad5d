import { adapterSettings } from '../../platform/settings/adapter-settings.ts';
import { text, variable } from '../../platform/settings/variable.ts';

export interface ApnsSettings {
  /** The .p8 key, as text or base64. */
  key: string;
  keyId: string;
  teamId: string;
}

/** Null: none is set. */
export const apnsSettings = adapterSettings(
  'apns',
  {
    APNS_KEY: variable(text.optional(), '', 'Apple push: the .p8 key, as text or base64', {
      example: '-----BEGIN PRIVATE KEY-----…',
      secret: true,
    }),
    APNS_KEY_ID: variable(text.optional(), '', 'Apple push: ID of that key', {
      example: 'ABC123DEFG',
      secret: true,
    }),
    APNS_TEAM_ID: variable(text.optional(), '', 'Apple push: the team ID', {
      example: 'DEF123GHIJ',
    }),
  },
  (read, { problem }): ApnsSettings | null => {
    const settings = {
      key: read('APNS_KEY') ?? '',
      keyId: read('APNS_KEY_ID') ?? '',
      teamId: read('APNS_TEAM_ID') ?? '',
    };
    const given = Object.values(settings).filter(Boolean).length;
    if (given > 0 && given < 3) problem('APNS_KEY, APNS_KEY_ID and APNS_TEAM_ID belong together');
    return given > 0 ? settings : null;
  },
);
