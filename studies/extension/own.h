// What this program adds to mixlab, one file each.
#pragma once

void add_alternating();  ///< noise
void add_measured();     ///< set
void add_curious();      ///< policy
