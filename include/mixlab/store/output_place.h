// Where something is going to be written, in a folder in which others write too: their links, and what dead processes left.
#pragma once

#include <string>
#include <vector>

#include "mixlab/store/workspace.h"

namespace mixlab::store {

/// `out`, or what it leads to if it is a link, whether that exists or not. Throws InputError if it leads to itself or
/// through a link of another user.
std::string resolve_output(const std::string& out);

/// Throws InputError for a link that somebody else made: what it leads to was not chosen by the user.
void refuse_links_of_others(const std::string& path);

/// A temporary or presence goes if its process is no more; anything else is left alone.
void remove_leftover(const std::string& folder, const std::string& name, OtherMachines others,
                     std::vector<Cleaned>& all);
/// Those whose names begin with `prefix`.
std::vector<Cleaned> remove_leftovers_in(const std::string& folder, const std::string& prefix, OtherMachines others);
/// Those that were to become `path`, on this machine: it is about to be written again.
std::vector<Cleaned> remove_leftovers_of(const std::string& path);
/// Those in a folder and in the folders inside of it; links in it are not followed.
std::vector<Cleaned> remove_leftovers_below(const std::string& folder, OtherMachines others);

}  // namespace mixlab::store
