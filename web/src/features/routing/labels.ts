import { t } from '#ui';

/** Labels of forwarding types. */
export const typeOptions = () => [
  { value: 'standard', label: t('Standard: one destination') },
  { value: 'simultaneous', label: t('Simultaneous: all at once') },
  { value: 'sequential', label: t('Sequential: one after another') },
  { value: 'in-app-calling', label: t('In-app calling: ring people in the app') },
  { value: 'geo', label: t('Geo: by the caller’s area') },
  { value: 'voicemail', label: t('Voicemail: no ringing') },
];

export const typeDescriptions: Record<string, string> = {
  standard: 'Rings one destination. With several, each call goes to one of them by weight.',
  simultaneous: 'Rings up to ten destinations at once. The first to answer gets the call.',
  sequential: 'Rings destinations in this order, each for its own time.',
  'in-app-calling':
    'Rings the people below in their browser and app, or everyone active if the list is empty.',
  geo: 'Rings the destination with the caller’s area code or state. One without either takes all other areas.',
  voicemail: 'Callers hear the greeting and leave a message.',
};

/** The hold music for a select, by ID. */
export const musicOptions = () => [
  { value: '1', label: t('Classic') },
  { value: '2', label: t('Light') },
  { value: '3', label: t('Upbeat') },
];
