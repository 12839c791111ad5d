import type { ErrorTexts } from '../../error-texts.ts';

export const errors = {
  'admin.staff_only': { status: 403, text: 'Only platform staff can do this.' },
  'admin.factor_required': {
    status: 403,
    text: 'Admin mode needs a second factor. Set one up under Settings, Security, and sign in again.',
  },
  'admin.not_entered': {
    status: 409,
    text: 'You’re not in admin mode. Enter it first, with a reason.',
  },
  'admin.read_only': {
    status: 403,
    text: 'Admin mode only reads at first. Choose “Allow changes” to change something.',
  },
  'remote_login.own': {
    status: 403,
    text: 'Only the person can do this in their own session. Ask them.',
  },
  'remote_login.expired': {
    status: 410,
    text: 'This sign-in was used already or has expired. Start it again.',
  },
} as const satisfies ErrorTexts;
