import type { ErrorTexts } from '../error-texts.ts';

export const errors = {
  'flow.draft_changed': {
    status: 409,
    text: '{name} changed this draft. Reload to see the changes before you save yours.',
  },
  'flow.draft_gone': {
    status: 409,
    text: 'This draft was published or discarded. Reload to see the current flow.',
  },
  'flow.no_draft': { status: 409, text: 'There’s no draft to publish. Make a change first.' },
  'flow.published_meanwhile': {
    status: 409,
    text: '{name} published version {version} after this draft was started. Review it, then publish again to replace it.',
  },
  'schedule.overlap': { status: 422, text: 'Two time ranges overlap on {day}.' },
  'greeting.in_use': {
    status: 409,
    text: 'This greeting is used by {places}. Choose another greeting there first.',
  },
  'greeting.too_large': {
    status: 422,
    text: 'This file is too large. A greeting can have up to {limit}.',
  },
  'greeting.unreadable': { status: 422, text: 'This file can’t be read: {why}' },
  'greeting.not_spoken': {
    status: 422,
    text: 'The text couldn’t be read aloud. Try again.',
  },
} as const satisfies ErrorTexts;
