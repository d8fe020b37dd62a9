export const status = { SUCCESS: 'Posted', PENDING: 'In progress', SCHEDULED: 'Scheduled', FAILED: 'Failed' };
