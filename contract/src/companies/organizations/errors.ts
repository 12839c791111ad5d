import type { ErrorTexts } from '../../error-texts.ts';

export const errors = {
  'organization.not_empty': {
    status: 409,
    text: 'This organization still has companies. Take them out first.',
  },
  'organization.slug_taken': {
    status: 409,
    text: 'Another organization has this short name. Choose another.',
  },
  'organization.company_taken': {
    status: 409,
    text: 'This company belongs to an organization already. Take it out there first.',
  },
  'organization.owner_decides': {
    status: 403,
    text: 'Only the company’s owner can put it under an organization. Ask the owner to do it.',
  },
  'organization.status_of_platform': {
    status: 403,
    text: 'The platform set this company’s status. Ask support to change it.',
  },
  'organization.none': { status: 409, text: 'This company is in no organization.' },
  'organization.company_not_active': {
    status: 409,
    text: 'Only an active company can leave the organization. Reactivate it first.',
  },
  'organization.owner_stays': {
    status: 409,
    text: 'The owner of an organization stays its administrator.',
  },
  'organization.not_an_admin': {
    status: 409,
    text: 'This person no longer administers the organization.',
  },
  'organization.person_inactive': {
    status: 409,
    text: 'This person is deactivated in every company of the organization. Reactivate them first.',
  },
  'organization.own_role': {
    status: 403,
    text: 'You can’t change your own role. Ask another administrator.',
  },
} as const satisfies ErrorTexts;
