/** The attribute of what is shown in the place of a page that is loading. */
export const PENDING_PAGE = 'data-pending-page';
