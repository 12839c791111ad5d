import type { ErrorTexts } from '../error-texts.ts';

export const errors = {
  'contact.unsubscribed': { status: 422, text: 'This contact opted out and cannot be texted.' },
  'contact.blocked': { status: 422, text: '{number} is blocked. Unblock it to send a message.' },
  'contact.anonymous': {
    status: 422,
    text: 'This caller’s number is withheld, so it can’t be texted.',
  },
  'contact.short_code': {
    status: 422,
    text: '{number} is a short code. Short codes can’t receive replies.',
  },
  'contact.sender_name': {
    status: 422,
    text: '{number} is a sender name, not a phone number, so it can’t receive replies.',
  },
  'import.bad_file': {
    status: 422,
    text: 'It seems there are some issues with your file. Please ensure that your CSV/XLSX file includes valid columns for "name" and "number". These are required for successful contact import.',
  },
  'import.no_columns': {
    status: 422,
    text: 'It seems there are some issues with your file. Please ensure that your CSV/XLSX file includes valid columns for "name" and "number". These are required for successful contact import.',
  },
  'import.failed': {
    status: 422,
    text: 'Import failure. Please try to import contacts once again',
  },
  'import.too_many_rows': {
    status: 422,
    text: 'A file can have up to {most} rows. Split it into several files.',
  },
  'import.begun': {
    status: 409,
    text: 'This file was already imported. Upload it again to import it once more.',
  },
  'import.cannot_undo': {
    status: 409,
    text: 'You can undo an import once, within 24 hours after it finishes.',
  },
  'contact.exists': { status: 409, text: 'Another contact has this number.' },
  'contact.merged': {
    status: 409,
    text: 'This contact was merged into another. Undo the merge instead.',
  },
  'contact.merge_self': { status: 422, text: 'Choose another contact to merge with.' },
  'contact.merge_undone': { status: 409, text: 'This merge was already undone.' },
  'contact.merge_old': {
    status: 409,
    text: 'You can undo a merge for 30 days. This one is older.',
  },
  'group.exists': { status: 409, text: 'Another group has this name. Choose a different name.' },
  'group.system': { status: 409, text: 'This is a built-in group, so it can’t be changed.' },
  'group.virtual': {
    status: 409,
    text: 'The contacts in this group follow its rule. Change the rule instead.',
  },
  'label.exists': { status: 409, text: 'Another label has this name. Choose a different name.' },
  'vcard.unreadable': { status: 422, text: 'This file has no contact cards we can read.' },
} as const satisfies ErrorTexts;
