#pragma once

/// Everything a user needs: build a model, run it, read what it is worth.
#include "stiction/model/model_builder.h"
#include "stiction/sim/print.h"
#include "stiction/sim/simulator.h"
