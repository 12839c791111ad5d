import type { ErrorTexts } from '../../error-texts.ts';

export const errors = {
  'user.role_above': {
    status: 403,
    text: 'You can’t give a role above your own. Ask the owner to do it.',
  },
  'user.own_role': {
    status: 403,
    text: 'You can’t change your own role or access. Ask the owner or another administrator.',
  },
  'user.details_own': {
    status: 409,
    text: 'Only this person can change their name and email address. Ask them to open their profile.',
  },
  'owner.required': { status: 409, text: 'A company must keep one owner.' },
  'ownership.only_transferred': {
    status: 409,
    text: 'A company has one owner. Transfer ownership in the company settings instead.',
  },
  'transfer.pending': {
    status: 409,
    text: 'A transfer of ownership is already waiting. Cancel it before you start another.',
  },
  'transfer.needs_administrator': {
    status: 409,
    text: 'Only an active administrator can become the owner. Make this person an administrator first.',
  },
  'transfer.gone': {
    status: 409,
    text: 'This transfer of ownership was canceled or has expired. Ask the owner to start it again.',
  },
  'transfer.needs_owner': {
    status: 409,
    text: 'The owner hasn’t agreed to this transfer yet. They can do so in the company settings.',
  },
  'transfer.not_yours': {
    status: 403,
    text: 'This transfer of ownership is between two other people. Only they can accept or cancel it.',
  },
} as const satisfies ErrorTexts;
