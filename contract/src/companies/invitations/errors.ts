import type { ErrorTexts } from '../../error-texts.ts';

export const errors = {
  'invitation.expired': { status: 410, text: 'Link expired. Please log in.' },
  'invitation.revoked': {
    status: 410,
    text: 'This invitation was withdrawn. Ask for a new one.',
  },
  'invitation.accepted': {
    status: 409,
    text: 'This invitation was already accepted. Please log in.',
  },
  'invitation.already_member': {
    status: 409,
    text: '{email} is already in this company.',
  },
  'invitation.company_closed': {
    status: 409,
    text: 'This company is deactivated. Reactivate it before you invite people.',
  },
  'invitation.deactivated': {
    status: 409,
    text: '{email} was deactivated in this company. Activate them under Users instead.',
  },
  'invitation.role_above_yours': {
    status: 403,
    text: 'You can’t invite people with a role above yours. Choose another role.',
  },
  'invitation.resent_too_often': {
    status: 409,
    text: 'This invitation was already resent {count} times today. Try again tomorrow.',
  },
  'invitation.sign_in': {
    status: 409,
    text: 'You already have an account. Sign in to join.',
  },
  'invitation.other_person': {
    status: 409,
    text: 'You’re signed in as {email}. Sign out to accept this invitation.',
  },
} as const satisfies ErrorTexts;
