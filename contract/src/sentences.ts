/** Sentences of the specification's error catalogue that the client shows (A §8, B §8). */
export const sentences = {
  unauthorized: "You're not authorized to perform this action",
  slowDown:
    "Oops! It appears that you've reached the limit of allowed requests per second. As a result, the APP will respond at a slower speed for your subsequent requests.",
  unknownWithEmail:
    'An unknown error has occurred, please try again or contact support by emailing us at {email}',
  unknown: 'Unknown error',
  notAllowed: 'Your role does not allow this.',
  unreachable: 'Can’t reach Trunkline. Check your connection and try again.',
  linkExpired: 'Link expired. Please log in.',
  forgotFailed: 'Oops! Something went wrong. Please try again later.',
  resetExpired: 'Your reset link has expired. Please try to resend it again.',
  passwordChanged: 'Your password has been changed.',
  passwordChangedLogin: 'Your password was successfully changed',
  conversationsFailedTitle: 'Error loading conversations',
  conversationsFailed: 'Please try again later.',
  callUpdateFailed: 'Failed to update call',
  alertUpdated: 'Alert updated successfully',
  adfCreated: 'ADF XML integration created successfully.',
  adfUpdated: 'ADF XML integration updated successfully.',
  adfDeactivated: 'ADF XML integration deactivated successfully.',
  adfDeleted: 'ADF XML integration deleted successfully.',
  blocked: '{number} has been blocked',
  unblocked: '{number} has been unblocked',
  wrongCredentials: 'These credentials do not match our records.',
  invalidData: 'The given data was invalid.',
  unauthenticated: 'Unauthenticated.',
} as const;
