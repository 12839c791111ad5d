/** A3: access tokens live 60 minutes. */
export const ACCESS_SECONDS = 3600;
/** A3: refresh tokens live 30 days, and each works once. */
export const REFRESH_DAYS = 30;
/** After this long a person is asked again, however often the program renewed its token. */
export const GRANT_DAYS = 400;
/** Programs a company can register. */
export const MOST_CLIENTS = 50;
