/** The path to open after sign-in; only paths of this app are accepted. */
export const safeNextPath = (search: string): string => {
  const next = new URLSearchParams(search).get('next') ?? '/';
  return /^\/(?![/\\])/.test(next) ? next : '/';
};
