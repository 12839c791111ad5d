import type { ErrorTexts } from '../error-texts.ts';

export const errors = {
  'export.too_large': {
    status: 422,
    text: 'This export has {n} rows, and one holds {most}. Choose a shorter period or fewer numbers.',
  },
  'message.empty': { status: 422, text: 'Enter a message or attach a file.' },
  'message.media_too_large': {
    status: 422,
    text: 'These files are too large to send together. The limit is {limit}.',
  },
  'message.too_soon': { status: 422, text: 'Choose a time at least one minute from now.' },
  'message.too_late': { status: 422, text: 'Choose a time within one year.' },
  'message.no_recipient': {
    status: 422,
    text: 'Choose a conversation, or choose one of your numbers and enter a recipient.',
  },
  'message.media_too_many': { status: 422, text: 'A message can have at most {limit} files.' },
  'message.media_unknown': {
    status: 422,
    text: '{name} can’t be sent by text. Choose a different type of file.',
  },
  'message.media_heic': {
    status: 422,
    text: '{name} is a HEIC picture, which can’t be sent by text. Export it as JPEG.',
  },
  'note.not_yours': { status: 403, text: 'Only the person who wrote this note can change it.' },
  'message.not_scheduled': {
    status: 409,
    text: 'You can only change a message that is still scheduled.',
  },
  'team.no_access': {
    status: 422,
    text: 'No one in {team} can see this conversation’s number. Give one of them access, or choose another team.',
  },
  'teammate.unknown': {
    status: 422,
    text: 'This person can’t see this conversation’s number. Choose someone else.',
  },
  'snooze.too_soon': { status: 422, text: 'Choose a time at least one minute from now.' },
  'snooze.too_late': { status: 422, text: 'Choose a time within one year.' },
  'canned.exists': {
    status: 409,
    text: 'Another reply uses the shortcut /{shortcut}. Choose a different one.',
  },
  'canned.limit': { status: 422, text: 'You can have up to 500 replies. Remove one first.' },
  'canned.not_yours': {
    status: 403,
    text: 'Only its author or an administrator can change this reply.',
  },
  'view.exists': { status: 409, text: 'Another view has this name. Choose a different name.' },
  'view.limit': { status: 422, text: 'You can have up to 50 views. Remove one first.' },
  'view.not_yours': {
    status: 403,
    text: 'Only its author or an administrator can change this view.',
  },
} as const satisfies ErrorTexts;
