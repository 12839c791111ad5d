import type { ErrorTexts } from '../error-texts.ts';

export const errors = {
  'campaign.not_editable': { status: 409, text: '{reason}' },
  'campaign.not_pausable': {
    status: 409,
    text: 'Only a campaign that is scheduled or in progress can be paused.',
  },
  'campaign.not_resumable': { status: 409, text: 'Only a paused campaign can be resumed.' },
  'campaign.not_cancelable': {
    status: 409,
    text: 'This campaign has ended or hasn’t started, so there’s nothing to cancel.',
  },
  'campaign.not_deletable': {
    status: 409,
    text: 'Pause or cancel this campaign before you delete it.',
  },
  'campaign.not_approvable': { status: 409, text: 'This campaign isn’t waiting for approval.' },
  'campaign.confirm_text': {
    status: 409,
    text: 'The previous text was already sent to {n} recipients. Confirm that the rest get the new one.',
  },
  'campaign.confirm_resume': {
    status: 409,
    text: 'This campaign was paused {days} days ago. Confirm that you still want to send it.',
  },
  'campaign.too_old': {
    status: 409,
    text: 'This campaign was paused more than 30 days ago. Duplicate it instead.',
  },
  'campaign.too_large': {
    status: 422,
    text: 'This group has {n} people, and a campaign can have up to {max}. Choose a smaller group.',
  },
} as const satisfies ErrorTexts;
