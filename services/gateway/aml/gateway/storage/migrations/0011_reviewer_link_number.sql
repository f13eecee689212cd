-- Each time that an operator says whom a reviewer belongs to is a fact of its own, with a number.

ALTER TABLE gateway.reviewer_link ADD COLUMN links integer NOT NULL DEFAULT 1;
