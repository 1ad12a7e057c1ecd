-- A plan made for the very values of a call costs more than the call with one point does, and is the same: PostgreSQL took it to be
-- cheaper, for it guesses ten entries of lists that it does not see. Which joins and indices it takes, the settings of the function say.
ALTER FUNCTION log_points SET plan_cache_mode = force_generic_plan;
