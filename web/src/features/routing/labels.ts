import { t } from '#ui';

/** Forwarding types as people read them. */
export const typeOptions = () => [
  { value: 'standard', label: t('Standard: one destination') },
  { value: 'simultaneous', label: t('Simultaneous: all at once') },
  { value: 'sequential', label: t('Sequential: one after another') },
  { value: 'in-app-calling', label: t('In-app calling: ring people in the app') },
  { value: 'geo', label: t('Geo: by the caller’s area') },
  { value: 'voicemail', label: t('Voicemail: straight there') },
];

export const typeDescriptions: Record<string, string> = {
  standard: 'One destination is rung. With several, each call goes to one of them by weight.',
  simultaneous: 'All destinations ring at once, ten at most. The first to answer gets the call.',
  sequential: 'Destinations ring in this order, each for its own time.',
  'in-app-calling':
    'Rings the browsers and apps of the people below, or of everyone who is active when none is named.',
  geo: 'The destination that names the caller’s area code or state is rung; one without either takes all other areas.',
  voicemail: 'Callers hear the greeting and leave a message.',
};

export const musicOptions = () => [
  { value: '1', label: t('Classic') },
  { value: '2', label: t('Light') },
  { value: '3', label: t('Upbeat') },
];
